// How fast may packets leave, and how many at once? (draft §5.6.2, §5.6.3)
#pragma once

#include <algorithm>

#include "quell/base/time.h"

namespace quell::cc::bbr3 {

// Invariant: after `init` the rate is above zero.
class Pacing {
 public:
  // The window, spread over a round trip; before the first sample, over a millisecond.
  void init(double initial_window, double gain, Duration smoothed_rtt) {
    const Duration rtt = smoothed_rtt > Duration{0} ? smoothed_rtt : Duration{milliseconds{1}};
    rate_ = gain * initial_window / to_seconds(rtt);
  }

  // Until the pipe has been full, the rate only rises: a bandwidth that the application limited would lower
  // it. Choice: nor does an empty model, which knows no bandwidth, set it to zero.
  void set(double gain, double bandwidth, bool is_full) {
    const double rate = gain * bandwidth * (1 - kMargin);
    if (rate > rate_ || (is_full && rate > 0)) rate_ = rate;
  }

  double rate() const { return rate_; }
  // A millisecond's worth, but at least two packets and at most 64 KB.
  double quantum(double packet) const {
    return std::max(std::min(rate_ * kQuantumSeconds, kMostQuantum), 2 * packet);
  }

 private:
  static constexpr double kMargin = 0.01;  // BBR.PacingMarginPercent: so that queues drain
  static constexpr double kQuantumSeconds = 0.001;
  static constexpr double kMostQuantum = 64 * 1024;

  double rate_ = 0;
};

}  // namespace quell::cc::bbr3
