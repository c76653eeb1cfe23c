// Which runs are worth a picture, and what stands beside them?
#pragma once

#include <string>

#include "quell/lab/batch.h"
#include "quell/lab/report.h"

namespace quell::lab {

// Runs one seed of each controller (and variant) once more to record it, the same for all: the one that has
// most to show.
Report make_report(const BatchRequest& request, const std::string& name, const std::string& command,
                   const BatchResult& result);

}  // namespace quell::lab
