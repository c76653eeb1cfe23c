// How much more do ACKs bring at once than the bandwidth explains? So much is added to the window, so that
// the flow goes on through the silence between two such ACKs (draft §5.5.9).
#pragma once

#include <algorithm>
#include <optional>

#include "quell/cc/bbr3_sample.h"
#include "quell/cc/windowed_filter.h"

namespace quell::cc::bbr3 {

class AckAggregation {
 public:
  void restart(TimePoint now) { since_ = now; }

  // `is_full`: BBR.full_bw_reached; before it only the present round is remembered.
  void on_ack(double newly_acked, double bandwidth, double cwnd, std::uint64_t round, bool is_full,
              TimePoint now) {
    double expected = bandwidth * to_seconds(now - since_.value_or(now));
    if (!since_ || delivered_ <= expected) {
      delivered_ = 0;
      since_ = now;
      expected = 0;
    }
    delivered_ += newly_acked;
    filter_.update(std::min(delivered_ - expected, cwnd), round, is_full ? kRounds : 1);
  }

  double extra_acked() const { return filter_.best(); }

 private:
  static constexpr std::size_t kRounds = 10;  // BBR.ExtraAckedFilterLen

  std::optional<TimePoint> since_;  // nothing: no ACK yet
  double delivered_ = 0;            // since then
  WindowedMax<double, kRounds> filter_;
};

}  // namespace quell::cc::bbr3
