// How is a path written so that path_toml reads the same back?
#pragma once

#include <string>

#include "quell/lab/scenario.h"
#include "quell/lab/toml_writer.h"

namespace quell::lab {

// `prefix` stands before the names of tables: "variant.", or nothing.
void write_path(TomlWriter& out, const std::string& prefix, const Variant& variant);

}  // namespace quell::lab
