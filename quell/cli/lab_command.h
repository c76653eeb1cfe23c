// `quell lab`: scenarios in virtual time.
#pragma once

#include <CLI/CLI.hpp>

namespace quell::cli {

// Adds the command with its subcommands list, show and run; the one that is chosen runs and leaves its exit
// code in `exit_code`.
void add_lab_command(CLI::App& app, int& exit_code);

}  // namespace quell::cli
