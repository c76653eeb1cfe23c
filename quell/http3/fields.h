// What stands in a header or trailer section? Name and value pairs, names in lower case (RFC 9114 §4.2).
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace quell::http3 {

struct Field {
  std::string name;
  std::string value;
  bool is_sensitive = false;  // never put into a compression table (RFC 9204 §7.1.3)
  bool operator==(const Field&) const = default;
};
using Fields = std::vector<Field>;

// The first value of that name; nothing when absent. The view is into `fields`.
std::optional<std::string_view> find(const Fields& fields, std::string_view name);

// May this field be sent? A lower-case token as name, no control characters or outer blanks in the value, and
// nothing that speaks of a connection (RFC 9114 §4.2). Pseudo-header fields are not fields: false.
bool is_valid(const Field& field);
bool are_valid(const Fields& fields);

// RFC 9114 §4.2.2: names, values and 32 bytes each.
std::size_t section_size(const Fields& fields);

}  // namespace quell::http3
