#include "quell/path/line.h"

#include <algorithm>

namespace quell::path {

Line::Line(const LinkConfig& config, Rng rng, TimePoint start)
    : delay_(config.delay),
      steps_(config.delay_steps),
      jitter_(config.jitter),
      reorders_(config.jitter_reorders),
      rng_(rng),
      start_(start) {}

void Line::set_flow_delay(std::uint32_t flow, Duration extra) {
  if (flow >= flow_delays_.size()) flow_delays_.resize(flow + 1);
  flow_delays_[flow] = extra;
}

Duration Line::delay_at(TimePoint t) const {
  Duration extra{0};
  for (const DelayStep& step : steps_) {
    if (t >= start_ + step.at) extra = step.extra;
  }
  return delay_ + extra;
}

TimePoint Line::in_order(std::uint32_t flow, TimePoint arrives_at) {
  if (flow >= last_.size()) last_.resize(flow + 1);
  last_[flow] = std::max(last_[flow], arrives_at);
  return last_[flow];
}

TimePoint Line::arrival(std::uint32_t flow, TimePoint leaves_at) {
  TimePoint at = leaves_at + delay_at(leaves_at);
  if (flow < flow_delays_.size()) at += flow_delays_[flow];
  if (jitter_ > Duration{0}) {
    at += Duration{static_cast<std::int64_t>(rng_.below(static_cast<std::uint64_t>(jitter_.count()) + 1))};
  }
  // A line that becomes shorter, or jitter of a queue elsewhere, holds packets up but does not swap them.
  return reorders_ ? at : in_order(flow, at);
}

}  // namespace quell::path
