// `quell get`: fetch URLs over HTTP/3.
#pragma once

#include <CLI/CLI.hpp>

namespace quell::cli {

// Adds the command; when it is chosen, it runs and leaves its exit code in `exit_code`.
void add_get_command(CLI::App& app, int& exit_code);

}  // namespace quell::cli
