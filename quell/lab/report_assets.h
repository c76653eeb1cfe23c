// What is the report page made of? Our page, style and scripts, and the packaged dygraphs, baked in at build
// time (cmake/QuellReportPage.cmake).
#pragma once

#include <span>
#include <string_view>

#include "quell/lab/embedded_file.h"

namespace quell::lab {

// quell/lab/assets/* and dygraph.min.js, by name.
std::span<const EmbeddedFile> report_files();

}  // namespace quell::lab
