// Does one controller do better than another on the same path? Judged seed by seed, when all have run.
#pragma once

#include <string>
#include <vector>

#include "quell/lab/batch.h"

namespace quell::lab {

// Adds to the misses of the seeds. A rivalry counts only where both of its controllers have run.
void judge_seeds_against(const Scenario& scenario, std::vector<ControllerResult>& results,
                         const std::vector<std::string>& controllers);

// Adds to the verdict of a controller what too many of its seeds have missed.
void judge_against(const Scenario& scenario, ControllerResult& result);

}  // namespace quell::lab
