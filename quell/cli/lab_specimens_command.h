// `quell lab specimens`: every known fault, and who catches it.
#pragma once

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "quell/lab/specimens.h"

namespace quell::cli {

struct SpecimensOptions {
  std::vector<std::string> only;
  std::uint32_t seeds = 10;
  unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
  bool all_scenarios = false;
  std::string json;
};

void add_lab_specimens_command(CLI::App& lab, int& exit_code);

// Shared with the program that tries the faults of recovery (quell/faults).
std::shared_ptr<SpecimensOptions> add_specimens_options(CLI::App& command);
// What to try and where; `cases` are those that this program knows, of which the options choose.
lab::SpecimensRequest specimens_request(const SpecimensOptions& options,
                                        const std::vector<lab::SpecimenCase>& cases);
// The table, the JSON, the exit code.
int deliver_specimens(const SpecimensOptions& options, const std::vector<lab::SpecimenResult>& results);

}  // namespace quell::cli
