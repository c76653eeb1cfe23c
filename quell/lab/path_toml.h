// How is a path written down? The table [path] and all below it.
#pragma once

#include "quell/lab/scenario.h"
#include "quell/lab/toml_reader.h"

namespace quell::lab {

void read_path(TomlReader& in, Variant& variant);

}  // namespace quell::lab
