// How is the outcome of a batch told? As a table for people and as JSON for programs.
#pragma once

#include <cstddef>
#include <string>

#include "quell/lab/batch.h"

namespace quell::lab {

// Of a controller over all its seeds, in one variant or (beyond the last) all of them. Times of runs that
// never completed count as their deadline.
struct Figures {
  double min = 0;  // seconds, as the three after it
  double median = 0;
  double p90 = 0;
  double max = 0;
  double flips = 0;    // median of the entries into recovery after the last loss
  double floor_s = 0;  // median of the time at the floor after the trouble
};
Figures figures_of(const ControllerResult& controller, std::size_t variant);

// What held the transfers back: with one seed the shares of the time, with more how often each limit bound.
std::string limits_text(const ControllerResult& controller, std::size_t variant);

// Every measure of every controller and variant: least, median and most over the seeds.
std::string measures_table(const Scenario& scenario, const BatchResult& result);

// The command that runs one seed again. `name` is what the user called the scenario.
std::string replay_command(const std::string& name, const std::string& controller, std::uint64_t seed);

// With a line per controller, then a line per expectation that was not met, then how to see it again.
std::string outcome_table(const Scenario& scenario, const std::string& name, const BatchResult& result);

// One object; docs/LAB.md names its keys.
std::string outcome_json(const Scenario& scenario, const std::string& name, const BatchResult& result);

}  // namespace quell::lab
