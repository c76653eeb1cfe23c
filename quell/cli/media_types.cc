#include "quell/cli/media_types.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace quell::cli {
namespace {

using Entry = std::pair<std::string_view, std::string_view>;

constexpr std::array kTypes{
    Entry{"avif", "image/avif"},
    Entry{"bin", "application/octet-stream"},
    Entry{"css", "text/css; charset=utf-8"},
    Entry{"csv", "text/csv; charset=utf-8"},
    Entry{"gif", "image/gif"},
    Entry{"gz", "application/gzip"},
    Entry{"htm", "text/html; charset=utf-8"},
    Entry{"html", "text/html; charset=utf-8"},
    Entry{"ico", "image/x-icon"},
    Entry{"jpeg", "image/jpeg"},
    Entry{"jpg", "image/jpeg"},
    Entry{"js", "text/javascript; charset=utf-8"},
    Entry{"json", "application/json"},
    Entry{"map", "application/json"},
    Entry{"md", "text/markdown; charset=utf-8"},
    Entry{"mjs", "text/javascript; charset=utf-8"},
    Entry{"mp3", "audio/mpeg"},
    Entry{"mp4", "video/mp4"},
    Entry{"pdf", "application/pdf"},
    Entry{"png", "image/png"},
    Entry{"svg", "image/svg+xml"},
    Entry{"tar", "application/x-tar"},
    Entry{"toml", "application/toml"},
    Entry{"txt", "text/plain; charset=utf-8"},
    Entry{"wasm", "application/wasm"},
    Entry{"webm", "video/webm"},
    Entry{"webp", "image/webp"},
    Entry{"woff2", "font/woff2"},
    Entry{"xml", "application/xml"},
    Entry{"zip", "application/zip"},
};

char to_lower(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

std::string_view media_type(std::string_view path) {
  const std::string_view name = path.substr(path.rfind('/') + 1);
  const std::size_t dot = name.rfind('.');
  std::string extension{dot == std::string_view::npos ? std::string_view{} : name.substr(dot + 1)};
  std::ranges::transform(extension, extension.begin(), to_lower);
  const auto found = std::ranges::find(kTypes, std::string_view{extension}, &Entry::first);
  return found != kTypes.end() ? found->second : "application/octet-stream";
}

}  // namespace quell::cli
