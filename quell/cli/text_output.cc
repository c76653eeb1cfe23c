#include "quell/cli/text_output.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <fstream>

namespace quell::cli {

std::string write_text(const std::string& path, const std::string& text) {
  if (path == "-") {
    fmt::print("{}", text);
    return {};
  }
  std::ofstream out{path, std::ios::binary};
  out << text;
  out.close();
  return out ? "" : fmt::format("cannot write {}: {}", path, std::strerror(errno));
}

}  // namespace quell::cli
