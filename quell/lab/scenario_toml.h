// How is a scenario written down? A TOML file becomes a Scenario, or a sentence that says where it is wrong.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "quell/lab/scenario.h"

namespace quell::lab {

// `file` is the name to show. Errors: "file:line:column: what is wrong and what to do"; unknown keys,
// controllers and measures are errors.
std::expected<Scenario, std::string> parse_scenario(std::string_view text, const std::string& file);

}  // namespace quell::lab
