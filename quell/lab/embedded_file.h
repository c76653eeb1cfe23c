// Which text files does the program carry inside itself? Filled at build time by cmake/EmbedFiles.cmake.
#pragma once

#include <span>
#include <string_view>

namespace quell::lab {

struct EmbeddedFile {
  std::string_view name;  // without directory and extension
  std::string_view content;
};

// lab/scenarios/*.toml, by name.
std::span<const EmbeddedFile> scenario_files();

}  // namespace quell::lab
