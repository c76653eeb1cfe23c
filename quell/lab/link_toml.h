// How is a link written down? Rate, queue and jitter, of one direction or of both.
#pragma once

#include "quell/lab/toml_reader.h"
#include "quell/path/config.h"

namespace quell::lab {

// Everything but the delay, which a path derives from its RTT.
void read_link(TomlReader& in, path::LinkConfig& link);

}  // namespace quell::lab
