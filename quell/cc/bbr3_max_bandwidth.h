// How much bandwidth does the path have for this flow? The largest sample of this and the previous probing
// cycle (draft §5.5.2 to §5.5.6).
#pragma once

#include "quell/cc/bbr3_sample.h"
#include "quell/cc/windowed_filter.h"

namespace quell::cc::bbr3 {

class MaxBandwidth {
 public:
  // A rate that the application limited counts only where it shows the estimate to be too low.
  void on_ack(const Sample& sample) {
    if (sample.rate <= 0 || (sample.is_app_limited && sample.rate < value_)) return;
    value_ = filter_.update(sample.rate, cycle_, kCycles);
  }
  // The last samples of a probe are in. Nothing is forgotten until the next sample takes its place.
  void advance() { ++cycle_; }

  double value() const { return value_; }

 private:
  static constexpr std::size_t kCycles = 2;  // BBR.MaxBwFilterLen

  WindowedMax<double, kCycles> filter_;
  std::uint64_t cycle_ = 0;
  double value_ = 0;
};

}  // namespace quell::cc::bbr3
