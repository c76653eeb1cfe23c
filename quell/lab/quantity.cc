#include "quell/lab/quantity.h"

#include <fmt/format.h>

#include <charconv>
#include <optional>
#include <span>
#include <utility>

namespace quell::lab {
namespace {

struct Unit {
  std::string_view name;
  double factor;
};

constexpr Unit kDurationUnits[] = {{"ns", 1},  {"us", 1e3},   {"ms", 1e6},
                                   {"s", 1e9}, {"min", 60e9}, {"h", 3600e9}};
constexpr Unit kByteUnits[] = {{"B", 1},      {"kB", 1e3},        {"MB", 1e6},          {"GB", 1e9},
                               {"KiB", 1024}, {"MiB", 1048576.0}, {"GiB", 1073741824.0}};
constexpr Unit kRateUnits[] = {{"bit/s", 1}, {"kbit/s", 1e3}, {"Mbit/s", 1e6}, {"Gbit/s", 1e9}};

std::string names_of(std::span<const Unit> units) {
  std::string names;
  for (const Unit& unit : units) names += (names.empty() ? "" : ", ") + std::string{unit.name};
  return names;
}

std::expected<double, std::string> parse(std::string_view text, std::span<const Unit> units,
                                         std::string_view example) {
  double number = 0;
  const auto [rest, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error == std::errc{} && number >= 0) {
    std::string_view unit_text{rest, static_cast<std::size_t>(text.data() + text.size() - rest)};
    while (!unit_text.empty() && unit_text.front() == ' ') unit_text.remove_prefix(1);
    for (const Unit& unit : units) {
      if (unit.name != unit_text) continue;
      if (number * unit.factor < 9e18) return number * unit.factor;
      return std::unexpected(fmt::format("\"{}\" is too large", text));
    }
  }
  return std::unexpected(
      fmt::format("\"{}\" is not an amount such as \"{}\"; units: {}", text, example, names_of(units)));
}

// The shortest text, and among equals the largest unit, whose number times factor is `amount` again.
std::string write(double amount, std::span<const Unit> units) {
  std::string best;
  for (const Unit& unit : units) {
    const double number = amount / unit.factor;
    if (number * unit.factor != amount) continue;
    std::string text = fmt::format("{} {}", number, unit.name);
    if (best.empty() || text.size() <= best.size()) best = std::move(text);
  }
  return best;
}

}  // namespace

std::expected<Duration, std::string> parse_duration(std::string_view text) {
  const auto value = parse(text, kDurationUnits, "10 ms");
  if (!value) return std::unexpected(value.error());
  return Duration{static_cast<std::int64_t>(*value)};
}

std::expected<ByteCount, std::string> parse_bytes(std::string_view text) {
  const auto value = parse(text, kByteUnits, "10 MB");
  if (!value) return std::unexpected(value.error());
  return static_cast<ByteCount>(*value);
}

std::expected<Rate, std::string> parse_rate(std::string_view text) {
  const auto value = parse(text, kRateUnits, "1 Gbit/s");
  if (!value) return std::unexpected(value.error());
  if (*value <= 0) return std::unexpected(fmt::format("\"{}\": a rate must be positive", text));
  return Rate::bits_per_second(*value);
}

std::string write_duration(Duration d) {
  if (d == Duration{0}) return "0 s";
  return write(static_cast<double>(d.count()), kDurationUnits);
}

std::string write_bytes(ByteCount bytes) {
  return write(static_cast<double>(bytes), kByteUnits);
}

std::string write_rate(Rate rate) {
  return write(rate.bits_per_second(), kRateUnits);
}

std::string format_duration(Duration d) {
  const double s = to_seconds(d);
  if (s >= 1 || s == 0) return fmt::format("{:.4g} s", s);
  if (s >= 1e-3) return fmt::format("{:.4g} ms", s * 1e3);
  return fmt::format("{:.4g} us", s * 1e6);
}

}  // namespace quell::lab
