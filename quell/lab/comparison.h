// Do the windows of several variants agree where they should?
#pragma once

#include <span>
#include <string>

#include "quell/lab/run.h"
#include "quell/lab/scenario.h"

namespace quell::lab {

struct ComparisonOutcome {
  bool is_met = true;
  std::string text;  // a sentence about the largest difference
};
// `runs`: one per variant of the scenario, with their windows.
ComparisonOutcome compare(const Scenario& scenario, const Comparison& comparison,
                          std::span<const RunResult> runs);

}  // namespace quell::lab
