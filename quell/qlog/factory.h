// Where does a connection's log lie? In DIR/<original destination ID>_<client|server>.sqlog, as the draft
// recommends.
#pragma once

#include <expected>
#include <memory>
#include <string>

#include "quell/qlog/output.h"
#include "quell/qlog/writer.h"
#include "quell/trace/sink.h"

namespace quell::qlog {

// "0a1b2c3d4e5f6071_server.sqlog".
std::string file_name(Side side, const ConnectionId& original_destination);

// Creates `directory` if it is missing, and the file in it, replacing an older log of the same connection.
// Error: a sentence for people that names the path. Later trouble (a full disk) goes to `report`, ends the
// log and leaves the connection alone.
std::expected<std::unique_ptr<trace::Sink>, std::string> make_file_sink(
    const std::string& directory, Side side, const ConnectionId& original_destination,
    ReferenceTime reference, ErrorReporter report = report_to_stderr);

}  // namespace quell::qlog
