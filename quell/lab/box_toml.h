// How is written down what meets packets on a path? Items with `way`, `opens`, `after` and `lasts`:
// [[path.loss]] and its kin.
#pragma once

#include "quell/lab/toml_reader.h"
#include "quell/path/config.h"

namespace quell::lab {

// All the lists of items of [path].
void read_boxes(TomlReader& in, path::PathConfig& path);

}  // namespace quell::lab
