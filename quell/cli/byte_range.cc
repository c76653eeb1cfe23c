#include "quell/cli/byte_range.h"

#include <algorithm>
#include <charconv>
#include <optional>

namespace quell::cli {
namespace {

std::optional<ByteCount> parse_number(std::string_view text) {
  ByteCount number = 0;
  const auto [end, failure] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (failure != std::errc{} || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

ByteRange parse_byte_range(std::string_view field, ByteCount size) {
  constexpr std::string_view kUnit = "bytes=";
  if (!field.starts_with(kUnit)) return {};
  const std::string_view spec = field.substr(kUnit.size());
  const std::size_t dash = spec.find('-');
  if (dash == std::string_view::npos || spec.find(',') != std::string_view::npos) return {};
  const std::string_view first_text = spec.substr(0, dash);
  const std::string_view last_text = spec.substr(dash + 1);

  if (first_text.empty()) {
    const auto suffix = parse_number(last_text);
    if (!suffix) return {};
    if (*suffix == 0 || size == 0) return {ByteRange::Kind::unsatisfiable};
    return {ByteRange::Kind::part, size - std::min(*suffix, size), size - 1};
  }
  const auto first = parse_number(first_text);
  const auto last = last_text.empty() ? std::optional{size == 0 ? 0 : size - 1} : parse_number(last_text);
  if (!first || !last) return {};
  if (*first >= size) return {ByteRange::Kind::unsatisfiable};
  if (*last < *first) return {};
  return {ByteRange::Kind::part, *first, std::min(*last, size - 1)};
}

}  // namespace quell::cli
