// When does a packet that has left the bottleneck reach its receiver? Length of the line, jitter, order.
#pragma once

#include <vector>

#include "quell/base/rng.h"
#include "quell/path/config.h"

namespace quell::path {

class Line {
 public:
  Line(const LinkConfig& config, Rng rng, TimePoint start);

  // This much longer for one flow; none otherwise.
  void set_flow_delay(std::uint32_t flow, Duration extra);

  // Ascending by `leaves_at`. Arrivals of one flow ascend too, unless jitter may reorder.
  TimePoint arrival(std::uint32_t flow, TimePoint leaves_at);

 private:
  Duration delay_at(TimePoint t) const;
  TimePoint in_order(std::uint32_t flow, TimePoint arrives_at);

  Duration delay_;
  std::vector<DelayStep> steps_;
  std::vector<Duration> flow_delays_;
  Duration jitter_;
  bool reorders_;
  Rng rng_;
  TimePoint start_;
  std::vector<TimePoint> last_;  // by flow
};

}  // namespace quell::path
