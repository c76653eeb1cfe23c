#include "quell/lab/toml_reader.h"

#include <fmt/format.h>

#include <limits>

#include "quell/lab/quantity.h"

namespace quell::lab {

void TomlProblem::report(const toml::source_region& where, const std::string& what) {
  if (text) return;
  text = fmt::format("{}:{}:{}: {}", file, where.begin.line, where.begin.column, what);
}

TomlReader::TomlReader(const toml::table& table, std::string what, TomlProblem& problem)
    : table_(table), what_(std::move(what)), problem_(problem) {}

const toml::node* TomlReader::find(std::string_view key) {
  used_.insert(std::string{key});
  return problem_.text ? nullptr : table_.get(key);
}

void TomlReader::complain(std::string_view key, const std::string& what) {
  const toml::node* node = table_.get(key);
  problem_.report(node != nullptr ? node->source() : table_.source(),
                  fmt::format("{} in {}: {}", key, what_, what));
}

void TomlReader::require(std::string_view key) {
  if (!has(key)) problem_.report(table_.source(), fmt::format("{} needs a key \"{}\"", what_, key));
}

bool TomlReader::is_text(std::string_view key, std::string_view text) {
  const toml::node* node = find(key);
  return node != nullptr && node->value<std::string_view>() == text;
}

void TomlReader::finish() {
  for (const auto& [key, node] : table_) {
    if (used_.contains(key.str())) continue;
    std::string known;
    for (const auto& name : used_) known += (known.empty() ? "" : ", ") + name;
    problem_.report(key.source(),
                    fmt::format("unknown key \"{}\" in {}; known: {}", key.str(), what_, known));
    return;
  }
}

template <typename T>
std::optional<T> TomlReader::value(std::string_view key, const char* kind) {
  const toml::node* node = find(key);
  if (node == nullptr) return std::nullopt;
  const auto found = node->value<T>();
  if (!found) complain(key, fmt::format("needs {}", kind));
  return found;
}

void TomlReader::read(std::string_view key, std::string& target) {
  if (auto v = value<std::string>(key, "a string in quotes")) target = *v;
}

void TomlReader::read(std::string_view key, bool& target) {
  const toml::node* node = find(key);
  if (node == nullptr) return;
  if (const auto v = node->value_exact<bool>()) {
    target = *v;
  } else {
    complain(key, "needs true or false");
  }
}

void TomlReader::read(std::string_view key, double& target) {
  if (auto v = value<double>(key, "a number")) target = *v;
}

void TomlReader::read(std::string_view key, std::optional<double>& target) {
  if (auto v = value<double>(key, "a number"); v.has_value()) target = v;
}

void TomlReader::read(std::string_view key, std::uint64_t& target) {
  const auto v = value<std::int64_t>(key, "a whole number");
  if (v && *v < 0) complain(key, "must not be negative");
  if (v && *v >= 0) target = static_cast<std::uint64_t>(*v);
}

void TomlReader::read(std::string_view key, std::uint32_t& target) {
  std::uint64_t wide = target;
  read(key, wide);
  if (wide > std::numeric_limits<std::uint32_t>::max()) {
    complain(key, "is too large");
  } else {
    target = static_cast<std::uint32_t>(wide);
  }
}

template <typename T, typename Parse>
void TomlReader::read_quantity(std::string_view key, T& target, const char* kind, Parse parse) {
  const auto text = value<std::string>(key, kind);
  if (!text) return;
  if (const auto parsed = parse(*text)) {
    target = *parsed;
  } else {
    complain(key, parsed.error());
  }
}

void TomlReader::read(std::string_view key, Duration& target) {
  read_quantity(key, target, "a duration in quotes, such as \"10 ms\"", parse_duration);
}

void TomlReader::read(std::string_view key, std::optional<Duration>& target) {
  read_quantity(key, target, "a duration in quotes, such as \"10 ms\"", parse_duration);
}

void TomlReader::read(std::string_view key, Rate& target) {
  read_quantity(key, target, "a rate in quotes, such as \"1 Gbit/s\"", parse_rate);
}

void TomlReader::read_bytes(std::string_view key, ByteCount& target) {
  read_quantity(key, target, "a size in quotes, such as \"10 MB\"", parse_bytes);
}

void TomlReader::read_bound(std::string_view key, std::optional<double>& target) {
  const toml::node* node = find(key);
  if (node == nullptr) return;
  if (node->is_string()) {
    Duration duration{0};
    read(key, duration);
    target = to_seconds(duration);
  } else {
    read(key, target);
  }
}

void TomlReader::read(std::string_view key, std::vector<std::string>& target) {
  const toml::node* node = find(key);
  if (node == nullptr) return;
  const toml::array* list = node->as_array();
  if (list == nullptr) return complain(key, "needs a list of strings");
  target.clear();
  for (const toml::node& item : *list) {
    const auto text = item.value<std::string>();
    if (!text) return problem_.report(item.source(), fmt::format("{} in {}: needs strings", key, what_));
    target.push_back(*text);
  }
}

void TomlReader::read(std::string_view key, std::vector<double>& target) {
  const toml::node* node = find(key);
  if (node == nullptr) return;
  const toml::array* list = node->as_array();
  if (list == nullptr) return complain(key, "needs a list of numbers");
  target.clear();
  for (const toml::node& item : *list) {
    const auto number = item.value<double>();
    if (!number) return problem_.report(item.source(), fmt::format("{} in {}: needs numbers", key, what_));
    target.push_back(*number);
  }
}

void TomlReader::table(std::string_view key, const std::function<void(TomlReader&)>& visit) {
  const toml::node* node = find(key);
  if (node == nullptr) return;
  const toml::table* inner = node->as_table();
  if (inner == nullptr) return complain(key, "needs a table");
  TomlReader reader{*inner, fmt::format("[{}]", key), problem_};
  visit(reader);
  reader.finish();
}

void TomlReader::each(std::string_view key, const std::function<void(TomlReader&)>& visit) {
  const toml::node* node = find(key);
  if (node == nullptr) return;
  const toml::array* list = node->as_array();
  if (list == nullptr) return complain(key, fmt::format("needs a list: write [[{}]]", key));
  for (const toml::node& item : *list) {
    const toml::table* inner = item.as_table();
    if (inner == nullptr)
      return problem_.report(item.source(), fmt::format("{} in {}: needs tables", key, what_));
    TomlReader reader{*inner, fmt::format("[[{}]]", key), problem_};
    visit(reader);
    reader.finish();
  }
}

}  // namespace quell::lab
