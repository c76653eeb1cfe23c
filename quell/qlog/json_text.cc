#include "quell/qlog/json_text.h"

#include <fmt/format.h>

namespace quell::qlog {
namespace {

constexpr char kHexDigits[] = "0123456789abcdef";

// Length of the well-formed UTF-8 sequence at the front of `text`, 0 if there is none (RFC 3629 §4).
std::size_t utf8_sequence(std::string_view text) {
  const auto at = [&](std::size_t i) {
    return i < text.size() ? static_cast<std::uint8_t>(text[i]) : std::uint8_t{0};
  };
  const auto is_tail = [&](std::size_t i) { return (at(i) & 0xc0) == 0x80; };
  const std::uint8_t first = at(0);
  if (first < 0x80) return 1;
  if (first >= 0xc2 && first <= 0xdf) return is_tail(1) ? 2 : 0;
  if (first >= 0xe0 && first <= 0xef) {
    const bool is_overlong = first == 0xe0 && at(1) < 0xa0;
    const bool is_surrogate = first == 0xed && at(1) > 0x9f;
    return is_tail(1) && is_tail(2) && !is_overlong && !is_surrogate ? 3 : 0;
  }
  if (first >= 0xf0 && first <= 0xf4) {
    const bool is_overlong = first == 0xf0 && at(1) < 0x90;
    const bool is_beyond = first == 0xf4 && at(1) > 0x8f;
    return is_tail(1) && is_tail(2) && is_tail(3) && !is_overlong && !is_beyond ? 4 : 0;
  }
  return 0;
}

void append_escaped(std::string& out, char c) {
  switch (c) {
    case '"':
      out += "\\\"";
      return;
    case '\\':
      out += "\\\\";
      return;
    case '\n':
      out += "\\n";
      return;
    case '\r':
      out += "\\r";
      return;
    case '\t':
      out += "\\t";
      return;
    default:
      break;
  }
  if (static_cast<std::uint8_t>(c) >= 0x20) {
    out += c;
    return;
  }
  out += "\\u00";
  out += kHexDigits[c >> 4];
  out += kHexDigits[c & 0xf];
}

}  // namespace

bool is_utf8(std::string_view text) {
  while (!text.empty()) {
    const std::size_t length = utf8_sequence(text);
    if (length == 0) return false;
    text.remove_prefix(length);
  }
  return true;
}

void append_decimal(std::string& out, std::uint64_t value) {
  const fmt::format_int digits(value);
  out.append(digits.data(), digits.size());
}

void append_milliseconds(std::string& out, Duration value) {
  std::int64_t us = std::chrono::duration_cast<std::chrono::microseconds>(value).count();
  if (us < 0) {
    out += '-';
    us = -us;
  }
  append_decimal(out, static_cast<std::uint64_t>(us / 1000));
  const int rest = static_cast<int>(us % 1000);
  if (rest == 0) return;
  const char digits[] = {'.', static_cast<char>('0' + rest / 100), static_cast<char>('0' + rest / 10 % 10),
                         static_cast<char>('0' + rest % 10)};
  out.append(digits, rest % 100 == 0 ? 2 : rest % 10 == 0 ? 3 : 4);
}

void JsonText::prefix(std::string_view key) {
  if (needs_comma_) out_ += ',';
  needs_comma_ = true;
  if (key.empty()) return;
  out_ += '"';
  out_ += key;
  out_ += "\":";
}

void JsonText::open(std::string_view key, char bracket) {
  prefix(key);
  out_ += bracket;
  needs_comma_ = false;
}

void JsonText::close(char bracket) {
  out_ += bracket;
  needs_comma_ = true;
}

void JsonText::number(std::string_view key, std::uint64_t value) {
  prefix(key);
  append_decimal(out_, value);
}

void JsonText::boolean(std::string_view key, bool value) {
  prefix(key);
  out_ += value ? "true" : "false";
}

void JsonText::word(std::string_view key, std::string_view value) {
  prefix(key);
  out_ += '"';
  out_ += value;
  out_ += '"';
}

void JsonText::text(std::string_view key, std::string_view value) {
  prefix(key);
  out_ += '"';
  while (!value.empty()) {
    const std::size_t length = utf8_sequence(value);
    if (length == 1) {
      append_escaped(out_, value.front());
    } else if (length == 0) {
      out_ += "\xef\xbf\xbd";
    } else {
      out_ += value.substr(0, length);
    }
    value.remove_prefix(length == 0 ? 1 : length);
  }
  out_ += '"';
}

void JsonText::hex(std::string_view key, Bytes value) {
  prefix(key);
  out_ += '"';
  for (const std::uint8_t byte : value) {
    out_ += kHexDigits[byte >> 4];
    out_ += kHexDigits[byte & 0xf];
  }
  out_ += '"';
}

void JsonText::milliseconds(std::string_view key, Duration value) {
  prefix(key);
  append_milliseconds(out_, value);
}

}  // namespace quell::qlog
