// How is a record written without building a document first? Keys and values go straight into one text
// buffer.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "quell/base/units.h"

namespace quell::qlog {

// Commas take care of themselves. Keys are literals of ours and are not escaped. An empty key makes an array
// element (or the outermost object).
class JsonText {
 public:
  explicit JsonText(std::string& out) : out_(out) {}

  void begin_object(std::string_view key = {}) { open(key, '{'); }
  void end_object() { close('}'); }
  void begin_array(std::string_view key = {}) { open(key, '['); }
  void end_array() { close(']'); }

  void number(std::string_view key, std::uint64_t value);
  void boolean(std::string_view key, bool value);
  // A string that is known to need no escapes: the words of the schema.
  void word(std::string_view key, std::string_view value);
  // Any text: quotes, controls and line ends are escaped; bytes that are not UTF-8 become U+FFFD.
  void text(std::string_view key, std::string_view value);
  // A lower-case hex string.
  void hex(std::string_view key, Bytes value);
  // A duration as a decimal number of milliseconds, cut to the microsecond: "12.345", "7", "0.5".
  void milliseconds(std::string_view key, Duration value);

 private:
  void prefix(std::string_view key);
  void open(std::string_view key, char bracket);
  void close(char bracket);

  std::string& out_;
  bool needs_comma_ = false;
};

// True if all of `text` is well-formed UTF-8 (RFC 3629: no surrogates, no overlong forms).
bool is_utf8(std::string_view text);
void append_decimal(std::string& out, std::uint64_t value);
void append_milliseconds(std::string& out, Duration value);

}  // namespace quell::qlog
