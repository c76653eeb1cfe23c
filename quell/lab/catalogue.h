// Which scenarios come with the program, and how is one found by name or by file?
#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "quell/lab/scenario.h"
#include "quell/lab/scenario_toml.h"

namespace quell::lab {

// Ascending by name.
std::vector<std::string> scenario_names();
// A built-in name, or a path to a file: whatever ends in ".toml" or contains a slash is a path. Errors are
// sentences.
std::expected<Scenario, std::string> find_scenario(const std::string& name_or_file,
                                                   Form form = Form::declared);
// The text of its file, for `lab show`.
std::expected<std::string, std::string> scenario_text(const std::string& name_or_file);

}  // namespace quell::lab
