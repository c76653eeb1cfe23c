// How is a table written so that toml_reader reads the same back? Keys that hold the default are left out,
// and tables that hold no key.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "quell/base/time.h"
#include "quell/base/units.h"

namespace quell::lab {

class TomlWriter {
 public:
  // What follows belongs to this table, or to a new item of this list of tables, named in full:
  // "variant.path".
  void table(std::string_view name) { pending_ = "\n[" + std::string{name} + "]\n"; }
  void item(std::string_view name);

  // Each leaves the key out when the value is `omitted`.
  void write(std::string_view key, const std::string& value, const std::string& omitted = {});
  void write(std::string_view key, const std::optional<std::string>& value);
  void write(std::string_view key, bool value, bool omitted);
  void write(std::string_view key, std::uint64_t value, std::uint64_t omitted);
  void write(std::string_view key, double value, double omitted);
  void write(std::string_view key, const std::optional<double>& value);
  void write(std::string_view key, Duration value, Duration omitted);
  void write(std::string_view key, const std::optional<Duration>& value);
  void write(std::string_view key, const Rate& value, const Rate& omitted);
  void write_bytes(std::string_view key, ByteCount value, ByteCount omitted);
  void write(std::string_view key, const std::vector<std::string>& value);  // left out when empty
  void write_all(std::string_view key, const std::vector<std::string>& value);
  template <typename Enum>
  void write_enum(std::string_view key, Enum value, Enum omitted,
                  const std::vector<std::pair<std::string_view, Enum>>& names) {
    if (value == omitted) return;
    for (const auto& [name, named] : names) {
      if (named == value) line(key, quoted(std::string{name}));
    }
  }
  // A table on one line; `pairs` are what `pair` gives.
  void write_inline(std::string_view key, const std::vector<std::string>& pairs);
  static std::string pair(std::string_view key, std::string_view toml);

  const std::string& text() const { return text_; }

 private:
  void line(std::string_view key, std::string_view toml);
  static std::string quoted(const std::string& text);

  std::string pending_;  // a header that waits for its first key
  std::string text_;
};

// A TOML number.
std::string number_text(double value);

}  // namespace quell::lab
