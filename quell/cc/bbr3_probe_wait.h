// When may bandwidth be probed again? After 2 to 3 seconds, or as many rounds as Reno would need to grow back
// by one flight, 63 at most; drawn at random, so that flows mix (draft §5.3.3.7).
#pragma once

#include <algorithm>

#include "quell/base/rng.h"
#include "quell/base/time.h"

namespace quell::cc::bbr3 {

class ProbeWait {
 public:
  explicit ProbeWait(std::uint64_t seed) : rng_(seed) {}

  // A cycle begins.
  void draw(TimePoint now) {
    rounds_ = rng_.below(2);
    wait_ = seconds{2} + from_seconds(rng_.real());
    since_ = now;
  }
  void on_round() { ++rounds_; }

  // `target`: packets in flight wanted.
  bool is_over(double target, TimePoint now) const {
    return now > since_ + wait_ || static_cast<double>(rounds_) >= std::min(target, kMostRounds);
  }

 private:
  static constexpr double kMostRounds = 63;

  Rng rng_;
  std::uint64_t rounds_ = 0;  // BBR.rounds_since_probe_up
  Duration wait_{0};          // BBR.bw_probe_wait
  TimePoint since_;           // BBR.cycle_stamp
};

}  // namespace quell::cc::bbr3
