// Which controllers exist, by name? Adding one touches its own files and one line of registry.cc;
// a specimen, one line of specimens/catalogue.cc.
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
  std::string_view file{};  // the shared library it came from; empty: built in
};

inline constexpr std::string_view kDefaultController = "cubic";

// The built-in ones.
std::span<const Entry> entries();
// Among the built-in and the added ones; null when there is no such name.
const Entry* find(std::string_view name);
// Makes one more known for as long as the process lives; its strings must live as long. False: the name is
// taken. Not while another thread looks for names.
bool add(const Entry& entry);

}  // namespace quell::cc
