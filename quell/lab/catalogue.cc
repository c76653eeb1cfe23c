#include "quell/lab/catalogue.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>

#include "quell/lab/embedded_file.h"
#include "quell/lab/scenario_toml.h"

namespace quell::lab {
namespace {

bool is_path(std::string_view text) {
  return text.ends_with(".toml") || text.find('/') != text.npos;
}

std::expected<std::string, std::string> read_file(const std::string& path) {
  std::ifstream in{path, std::ios::binary};
  std::string text{std::istreambuf_iterator<char>{in}, {}};
  if (!in || in.bad()) return std::unexpected(fmt::format("cannot read {}: {}", path, std::strerror(errno)));
  return text;
}

}  // namespace

std::vector<std::string> scenario_names() {
  std::vector<std::string> names;
  for (const EmbeddedFile& file : scenario_files()) names.emplace_back(file.name);
  std::ranges::sort(names);
  return names;
}

std::expected<std::string, std::string> scenario_text(const std::string& name_or_file) {
  if (is_path(name_or_file)) return read_file(name_or_file);
  for (const EmbeddedFile& file : scenario_files()) {
    if (file.name == name_or_file) return std::string{file.content};
  }
  std::string names;
  for (const auto& name : scenario_names()) names += (names.empty() ? "" : ", ") + name;
  return std::unexpected(fmt::format(
      "there is no scenario \"{}\"; there are: {}. A file of your own needs a name that ends in .toml",
      name_or_file, names));
}

std::expected<Scenario, std::string> find_scenario(const std::string& name_or_file, Form form) {
  const auto text = scenario_text(name_or_file);
  if (!text) return std::unexpected(text.error());
  return parse_scenario(*text, is_path(name_or_file) ? name_or_file : name_or_file + ".toml", form);
}

}  // namespace quell::lab
