#include "quell/http3/fields.h"

#include <algorithm>
#include <array>

namespace quell::http3 {
namespace {

constexpr std::array<std::string_view, 5> kConnectionSpecific{"connection", "keep-alive", "proxy-connection",
                                                              "transfer-encoding", "upgrade"};

// RFC 9110 §5.6.2, without the upper-case letters.
bool is_name_char(char c) {
  if ((c >= 'a' && c <= 'z') || (c >= '0' && c <= '9')) return true;
  return std::string_view{"!#$%&'*+-.^_`|~"}.find(c) != std::string_view::npos;
}

bool is_blank(char c) {
  return c == ' ' || c == '\t';
}

// RFC 9110 §5.5: visible characters, obs-text, blanks within.
bool is_value_char(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return is_blank(c) || (byte > 0x20 && byte != 0x7f);
}

bool is_name(std::string_view name) {
  return !name.empty() && std::ranges::all_of(name, is_name_char);
}

bool is_value(std::string_view value) {
  if (value.empty()) return true;
  return !is_blank(value.front()) && !is_blank(value.back()) && std::ranges::all_of(value, is_value_char);
}

}  // namespace

std::optional<std::string_view> find(const Fields& fields, std::string_view name) {
  const auto found = std::ranges::find(fields, name, &Field::name);
  if (found == fields.end()) return std::nullopt;
  return found->value;
}

bool is_valid(const Field& field) {
  if (!is_name(field.name) || !is_value(field.value)) return false;
  if (std::ranges::find(kConnectionSpecific, field.name) != kConnectionSpecific.end()) return false;
  return field.name != "te" || field.value == "trailers";
}

bool are_valid(const Fields& fields) {
  return std::ranges::all_of(fields, is_valid);
}

std::size_t section_size(const Fields& fields) {
  std::size_t size = 0;
  for (const Field& field : fields) size += field.name.size() + field.value.size() + 32;
  return size;
}

}  // namespace quell::http3
