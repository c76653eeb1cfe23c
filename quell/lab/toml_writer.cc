#include "quell/lab/toml_writer.h"

#include <fmt/format.h>

#include "quell/lab/quantity.h"

namespace quell::lab {
namespace {

// What a TOML basic string may not hold as it is. `keeps_lines`: for strings in three quotes.
std::string escaped(std::string_view text, bool keeps_lines) {
  std::string out;
  for (const char c : text) {
    const auto code = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') {
      out += '\\';
      out += c;
    } else if (c == '\n' && keeps_lines) {
      out += c;
    } else if (code < 0x20 || code == 0x7f) {
      out += fmt::format("\\u{:04X}", code);
    } else {
      out += c;
    }
  }
  return out;
}

}  // namespace

std::string number_text(double value) {
  return fmt::format("{}", value);
}

void TomlWriter::item(std::string_view name) {
  // Every key of an item may hold its default, and it is an item all the same.
  text_ += fmt::format("\n[[{}]]\n", name);
  pending_.clear();
}

void TomlWriter::line(std::string_view key, std::string_view toml) {
  text_ += std::exchange(pending_, {});
  text_ += fmt::format("{} = {}\n", key, toml);
}

std::string TomlWriter::quoted(const std::string& text) {
  if (text.find('\n') == text.npos) return "\"" + escaped(text, false) + "\"";
  return "\"\"\"\n" + escaped(text, true) + "\"\"\"";  // a line break behind the quotes does not count
}

void TomlWriter::write(std::string_view key, const std::string& value, const std::string& omitted) {
  if (value != omitted) line(key, quoted(value));
}

void TomlWriter::write(std::string_view key, const std::optional<std::string>& value) {
  if (value) line(key, quoted(*value));
}

void TomlWriter::write(std::string_view key, bool value, bool omitted) {
  if (value != omitted) line(key, value ? "true" : "false");
}

void TomlWriter::write(std::string_view key, std::uint64_t value, std::uint64_t omitted) {
  if (value != omitted) line(key, fmt::format("{}", value));
}

void TomlWriter::write(std::string_view key, double value, double omitted) {
  if (value != omitted) line(key, number_text(value));
}

void TomlWriter::write(std::string_view key, const std::optional<double>& value) {
  if (value) line(key, number_text(*value));
}

void TomlWriter::write(std::string_view key, Duration value, Duration omitted) {
  if (value != omitted) line(key, quoted(write_duration(value)));
}

void TomlWriter::write(std::string_view key, const std::optional<Duration>& value) {
  if (value) line(key, quoted(write_duration(*value)));
}

void TomlWriter::write(std::string_view key, const Rate& value, const Rate& omitted) {
  if (value != omitted) line(key, quoted(write_rate(value)));
}

void TomlWriter::write_bytes(std::string_view key, ByteCount value, ByteCount omitted) {
  if (value != omitted) line(key, quoted(lab::write_bytes(value)));
}

void TomlWriter::write(std::string_view key, const std::vector<std::string>& value) {
  if (!value.empty()) write_all(key, value);
}

void TomlWriter::write_all(std::string_view key, const std::vector<std::string>& value) {
  std::string list;
  for (const auto& text : value) list += (list.empty() ? "" : ", ") + quoted(text);
  line(key, "[" + list + "]");
}

void TomlWriter::write_inline(std::string_view key, const std::vector<std::string>& pairs) {
  if (pairs.empty()) return;
  std::string list;
  for (const auto& text : pairs) list += (list.empty() ? "" : ", ") + text;
  line(key, "{ " + list + " }");
}

std::string TomlWriter::pair(std::string_view key, std::string_view toml) {
  return fmt::format("{} = {}", key, toml);
}

}  // namespace quell::lab
