// How is one way of running a scenario written down? The tables [path], [host], [transport], [load],
// [measure], [limits].
#pragma once

#include "quell/lab/scenario.h"
#include "quell/lab/toml_reader.h"

namespace quell::lab {

void read_variant(TomlReader& in, Variant& variant);

}  // namespace quell::lab
