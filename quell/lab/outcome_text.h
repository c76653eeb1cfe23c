// How is the outcome of a batch told? As a table for people and as JSON for programs.
#pragma once

#include <string>

#include "quell/lab/batch.h"

namespace quell::lab {

// The command that runs one seed again. `name` is what the user called the scenario.
std::string replay_command(const std::string& name, const std::string& controller, std::uint64_t seed);

// With a line per controller, then a line per expectation that was not met, then how to see it again.
std::string outcome_table(const Scenario& scenario, const std::string& name, const BatchResult& result);

// One object; docs/LAB.md names its keys. Times of runs that never completed count as their deadline.
std::string outcome_json(const Scenario& scenario, const std::string& name, const BatchResult& result);

}  // namespace quell::lab
