// What did the path do, in words, and when?
#pragma once

#include <vector>

#include "quell/lab/series.h"
#include "quell/path/path.h"

namespace quell::lab {

// Loss phases that have begun, in seconds since `start`; an open end is `end`. One that holds for both ways
// is told once.
std::vector<PathPhase> describe_phases(const path::PathConfig& config, const path::Path& path,
                                       TimePoint start, TimePoint end);

}  // namespace quell::lab
