// How does the qlog draft spell transport parameters? (quic-events draft, "parameters_set")
#pragma once

#include "quell/qlog/json_text.h"
#include "quell/wire/transport_parameters.h"

namespace quell::qlog {

// Adds the fields of one side's parameters. Reset tokens stay out of the log: whoever reads one can end the
// connection.
void write_parameters(JsonText& json, const TransportParameters& parameters);

}  // namespace quell::qlog
