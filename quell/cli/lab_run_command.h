// `quell lab run`: one scenario, some controllers, many seeds, and whether what must be seen was seen.
#pragma once

#include <CLI/CLI.hpp>

namespace quell::cli {

void add_lab_run_command(CLI::App& lab, int& exit_code);

}  // namespace quell::cli
