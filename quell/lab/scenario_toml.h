// How is a scenario written down? A TOML file becomes a Scenario, or a sentence that says where it is wrong.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "quell/lab/scenario.h"

namespace quell::lab {

// As declared, or as its [reduced] table says: fewer seeds, a shorter load, for tests that run every day.
enum class Form : std::uint8_t { declared, reduced };

// `file` is the name to show. Errors: "file:line:column: what is wrong and what to do"; unknown keys,
// controllers and measures are errors.
std::expected<Scenario, std::string> parse_scenario(std::string_view text, const std::string& file,
                                                    Form form = Form::declared);

}  // namespace quell::lab
