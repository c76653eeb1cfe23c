// How is one way to run a scenario written down? The counterpart of variant_toml.
#pragma once

#include <string_view>

#include "quell/lab/scenario.h"
#include "quell/lab/toml_writer.h"

namespace quell::lab {

// `prefix`: "variant." for an item of [[variant]], nothing for the file's own tables.
void write_variant(TomlWriter& out, std::string_view prefix, const Variant& variant);

}  // namespace quell::lab
