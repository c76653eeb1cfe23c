#include "quell/cli/request_path.h"

namespace quell::cli {
namespace {

int hex_value(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

// Decoded once: %252e stays %2e, a name like any other. Encoded slashes and NULs are nobody's honest file
// name.
std::optional<std::string> decode(std::string_view text) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '%') {
      out += text[i];
      continue;
    }
    if (i + 2 >= text.size()) return std::nullopt;
    const int high = hex_value(text[i + 1]);
    const int low = hex_value(text[i + 2]);
    if (high < 0 || low < 0) return std::nullopt;
    const char c = static_cast<char>(high * 16 + low);
    if (c == '/' || c == '\0') return std::nullopt;
    out += c;
    i += 2;
  }
  return out;
}

bool has_harmless_segments(std::string_view path) {
  while (!path.empty()) {
    const std::size_t slash = path.find('/');
    const std::string_view segment = path.substr(0, slash);
    if (segment.empty() || segment == "." || segment == "..") return false;
    if (slash == std::string_view::npos) return true;
    path.remove_prefix(slash + 1);
  }
  return true;
}

}  // namespace

std::optional<std::string> to_relative_path(std::string_view request_path) {
  const std::string_view path = request_path.substr(0, request_path.find_first_of("?#"));
  if (!path.starts_with('/')) return std::nullopt;
  auto decoded = decode(path.substr(1));
  if (!decoded || decoded->find('\0') != std::string::npos || decoded->find('\\') != std::string::npos)
    return std::nullopt;
  if (!has_harmless_segments(*decoded)) return std::nullopt;
  return decoded;
}

}  // namespace quell::cli
