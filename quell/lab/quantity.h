// How do people write amounts? "10 ms", "1 Gbit/s", "10 MB": a number, a space if you like, and a unit.
#pragma once

#include <expected>
#include <string>
#include <string_view>

#include "quell/base/time.h"
#include "quell/base/units.h"

namespace quell::lab {

// The errors name what was written and the units that would do. Negative amounts are errors.
std::expected<Duration, std::string> parse_duration(std::string_view text);  // ns us ms s min h
std::expected<ByteCount, std::string> parse_bytes(std::string_view text);    // B kB MB GB KiB MiB GiB
std::expected<Rate, std::string> parse_rate(std::string_view text);          // bit/s kbit/s Mbit/s Gbit/s

// What parses back to the very same amount: "1500 ms", "1.25 MB", "12 Mbit/s". Durations below 100 days,
// sizes below 9 PB, finite rates.
std::string write_duration(Duration d);
std::string write_bytes(ByteCount bytes);
std::string write_rate(Rate rate);

// "10 ms", "1.5 s": the shortest of three significant digits.
std::string format_duration(Duration d);

}  // namespace quell::lab
