// Is this table what it should be? A cursor over a TOML table that remembers the first thing wrong, with its
// place, and knows which keys nobody has asked for.
#pragma once

#include <toml++/toml.h>

#include <expected>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quell/base/time.h"
#include "quell/base/units.h"

namespace quell::lab {

// Read every field, then ask once: the first problem stays, later reads leave their targets alone.
struct TomlProblem {
  std::string file;
  std::optional<std::string> text;  // "file:3:7: what is wrong and what to do"

  void report(const toml::source_region& where, const std::string& what);
};

class TomlReader {
 public:
  // `what` names the table for people: "[path]".
  TomlReader(const toml::table& table, std::string what, TomlProblem& problem);

  // Each leaves its target alone when the key is absent, and reports a value of the wrong type or form.
  void read(std::string_view key, std::string& target);
  void read(std::string_view key, bool& target);
  void read(std::string_view key, double& target);
  void read(std::string_view key, std::optional<double>& target);
  void read(std::string_view key, std::uint64_t& target);
  void read(std::string_view key, std::uint32_t& target);
  void read(std::string_view key, Duration& target);
  void read(std::string_view key, std::optional<Duration>& target);
  void read(std::string_view key, Rate& target);
  void read_bytes(std::string_view key, ByteCount& target);
  void read(std::string_view key, std::vector<std::string>& target);
  void read(std::string_view key, std::vector<double>& target);
  // A number, or a duration in quotes, which counts in seconds.
  void read_bound(std::string_view key, std::optional<double>& target);
  template <typename Enum>
  void read_enum(std::string_view key, Enum& target,
                 const std::vector<std::pair<std::string_view, Enum>>& names) {
    std::string text;
    read(key, text);
    if (!has(key) || problem_.text) return;
    std::string choices;
    for (const auto& [name, value] : names) {
      if (name == text) {
        target = value;
        return;
      }
      choices += (choices.empty() ? "" : ", ") + std::string{name};
    }
    complain(key, "\"" + text + "\" is none of: " + choices);
  }
  // Sub-tables; absent ones are not visited.
  void table(std::string_view key, const std::function<void(TomlReader&)>& visit);
  void each(std::string_view key, const std::function<void(TomlReader&)>& visit);
  // For keys that somebody else reads.
  void skip(std::string_view key) { used_.insert(std::string{key}); }

  bool has(std::string_view key) const { return table_.get(key) != nullptr; }
  // The key holds just this text.
  bool is_text(std::string_view key, std::string_view text);
  void require(std::string_view key);
  // Reports the first key that was never asked for.
  void finish();
  // Reports at the key's value, or at the table when it has no such key.
  void complain(std::string_view key, const std::string& what);

 private:
  const toml::node* find(std::string_view key);
  template <typename T>
  std::optional<T> value(std::string_view key, const char* kind);
  template <typename T, typename Parse>
  void read_quantity(std::string_view key, T& target, const char* kind, Parse parse);

  const toml::table& table_;
  std::string what_;
  TomlProblem& problem_;
  std::set<std::string, std::less<>> used_;
};

}  // namespace quell::lab
