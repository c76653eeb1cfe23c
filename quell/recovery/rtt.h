// How long does a round trip take? (RFC 9002 §5)
#pragma once

#include <optional>

#include "quell/base/time.h"

namespace quell {

// RFC 9002 §6.1.2: the least time that any timer waits.
inline constexpr Duration kGranularity = milliseconds{1};

// Until the first sample, smoothed_rtt and rttvar come from the initial RTT and min_rtt and latest_rtt are
// zero.
class RttEstimator {
 public:
  explicit RttEstimator(Duration initial_rtt);

  // `ack_delay` is what the peer claims, already limited to its max_ack_delay where §5.3 asks for it.
  void add_sample(Duration latest_rtt, Duration ack_delay, TimePoint now);
  // §5.2: min_rtt starts again from the newest sample.
  void on_persistent_congestion() { min_ = latest_; }

  bool has_sample() const { return first_sample_at_.has_value(); }
  // When the first sample was taken; nothing before.
  std::optional<TimePoint> first_sample_at() const { return first_sample_at_; }
  Duration latest() const { return latest_; }
  Duration min() const { return min_; }
  Duration smoothed() const { return smoothed_; }
  Duration variance() const { return variance_; }
  // smoothed_rtt + max(4 × rttvar, kGranularity): the PTO without max_ack_delay and backoff (§6.2.1).
  Duration pto_base() const;

 private:
  Duration latest_{0};
  Duration min_{0};
  Duration smoothed_;
  Duration variance_;
  std::optional<TimePoint> first_sample_at_;
};

}  // namespace quell
