// `quell lab merge`: the parts of a sweep, judged as if it had run in one piece.
#pragma once

#include <CLI/CLI.hpp>

namespace quell::cli {

void add_lab_merge_command(CLI::App& lab, int& exit_code);

}  // namespace quell::cli
