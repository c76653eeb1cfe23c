// Was it what the scenario says must be seen? Bounds against measures, with reasons for people.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "quell/lab/run.h"
#include "quell/lab/scenario.h"

namespace quell::lab {

// All runs of one controller with one seed: one per variant, in the scenario's order.
struct SeedResult {
  std::uint64_t seed = 0;
  std::vector<RunResult> runs;
  // What it missed: bounds on each seed, comparisons, laws. Sentences. Empty: the seed has passed.
  std::vector<std::string> misses;
  struct MissedComparison {
    std::size_t ordinal = 0;  // among the scenario's
    std::string text;
  };
  std::vector<MissedComparison> missed_comparisons;
  std::vector<MissedComparison> missed_rivalries;  // filled in when all controllers have run: see versus.h
  bool passed() const { return misses.empty(); }
};
// Fills in the misses; needs the windows of runs when the scenario compares.
void judge_seed(const Scenario& scenario, const std::string& controller, SeedResult& result);

struct ControllerVerdict {
  std::string controller;
  bool is_expected_to_fail = false;
  bool is_met = true;  // all that was expected of this controller
  std::uint64_t seeds = 0;
  std::uint64_t passed = 0;
  std::vector<std::string> reasons;     // one line per expectation that was not met
  std::vector<std::string> missed;      // what each is about: a measure, a law, or "compare"
  std::optional<std::uint64_t> replay;  // the first seed that shows why; nothing when all is met
};
ControllerVerdict judge_controller(const Scenario& scenario, const std::string& controller,
                                   std::span<const SeedResult> results);

// Nearest rank; `share` in (0, 1]. Values need not be sorted, and there must be one.
double quantile(std::vector<double> values, double share);
// Of a measure over all runs of one variant; `variant` beyond the last: over all of them.
std::vector<double> values_of(std::span<const SeedResult> results, std::size_t variant,
                              std::string_view measure);

}  // namespace quell::lab
