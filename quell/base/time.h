// How is time written? As a point on a line that has no now(): the clock's owner hands time in.
#pragma once

#include <chrono>
#include <cstdint>

namespace quell {

using Duration = std::chrono::nanoseconds;

// A timeline without a clock. Only net/ reads one, only sim/ invents one.
struct Timeline {
  using rep = std::int64_t;
  using period = std::nano;
  using duration = Duration;
  using time_point = std::chrono::time_point<Timeline, Duration>;
  static constexpr bool is_steady = true;
};
using TimePoint = Timeline::time_point;

using std::chrono::hours;
using std::chrono::microseconds;
using std::chrono::milliseconds;
using std::chrono::nanoseconds;
using std::chrono::seconds;

constexpr double to_seconds(Duration d) {
  return std::chrono::duration<double>(d).count();
}
constexpr double to_milliseconds(Duration d) {
  return std::chrono::duration<double, std::milli>(d).count();
}
// Rounds towards zero to the nanosecond; the caller keeps |s| below 2^63 ns (292 years).
constexpr Duration from_seconds(double s) {
  return Duration{static_cast<std::int64_t>(s * 1e9)};
}

}  // namespace quell
