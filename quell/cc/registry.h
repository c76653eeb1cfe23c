// Which controllers exist, by name? Adding one touches its own files and one line of registry.cc.
#pragma once

#include <span>
#include <string_view>

#include "quell/cc/controller.h"

namespace quell::cc {

struct Entry {
  std::string_view name;
  std::string_view summary;  // one line, for --help
  bool is_specimen = false;  // a historic fault, kept alive for the laboratory
  ControllerPtr (*make)(const Config&) = nullptr;
};

inline constexpr std::string_view kDefaultController = "cubic";

std::span<const Entry> entries();
// Null when there is no such name.
const Entry* find(std::string_view name);

}  // namespace quell::cc
