#include "quell/recovery/rtt.h"

#include <algorithm>

#include "quell/recovery/rules_in_force.h"

namespace quell {

RttEstimator::RttEstimator(Duration initial_rtt) : smoothed_(initial_rtt), variance_(initial_rtt / 2) {}

void RttEstimator::add_sample(Duration latest_rtt, Duration ack_delay, TimePoint now) {
  // Choice: a round trip takes at least a nanosecond, so that zero can go on meaning "no sample" for
  // controllers.
  latest_ = std::max(latest_rtt, Duration{1});
  if (!first_sample_at_) {
    first_sample_at_ = now;
    min_ = rule::min_rtt_sample(latest_, ack_delay);
    smoothed_ = latest_;
    variance_ = latest_ / 2;
    return;
  }
  min_ = std::min(min_, rule::min_rtt_sample(latest_, ack_delay));
  // A difference, not a sum: a claimed delay may be as large as the type.
  const bool is_plausible = latest_ - min_ >= ack_delay;
  const Duration adjusted = is_plausible ? latest_ - ack_delay : latest_;
  const Duration deviation = smoothed_ > adjusted ? smoothed_ - adjusted : adjusted - smoothed_;
  variance_ = (3 * variance_ + deviation) / 4;
  smoothed_ = (7 * smoothed_ + adjusted) / 8;
}

Duration RttEstimator::pto_base() const {
  return smoothed_ + std::max(4 * variance_, kGranularity);
}

}  // namespace quell
