// What is in a file, by its name?
#pragma once

#include <string_view>

namespace quell::cli {

// By the extension, whatever its case; application/octet-stream when unknown.
std::string_view media_type(std::string_view path);

}  // namespace quell::cli
