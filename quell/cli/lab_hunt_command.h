// `quell lab hunt`: is there a path on which a controller breaks a law?
#pragma once

#include <CLI/CLI.hpp>

namespace quell::cli {

void add_lab_hunt_command(CLI::App& lab, int& exit_code);

}  // namespace quell::cli
