// Does Startup lose so much that the pipe must be full? (draft §5.3.1.3)
#pragma once

#include <optional>

#include "quell/cc/bbr3_loss_rate.h"
#include "quell/cc/bbr3_sample.h"

namespace quell::cc::bbr3 {

// Three conditions keep out the noise of burst losses: a full round in recovery, more than 2 % lost in it, in
// at least six places. Choice: rounds are those of the loss signals (draft §5.5.10.3), which begin with the
// first loss and so with recovery; QUIC's own recovery ends and begins anew in each round of lasting loss.
class StartupLoss {
 public:
  void on_lost(PacketNumber number) {
    if (last_lost_ && number == *last_lost_ + 1) {
      last_lost_ = number;
      return;
    }
    last_lost_ = number;
    ++ranges_;
  }

  // The ACK that ends a round of loss signals. True: the pipe is full.
  bool on_loss_round_end(const Sample& sample) {
    const bool is_full = ranges_ >= kRanges && is_inflight_too_high(sample.lost, sample.tx_in_flight);
    ranges_ = 0;
    return is_full;
  }

 private:
  static constexpr int kRanges = 6;  // BBRStartupFullLossCnt

  std::optional<PacketNumber> last_lost_;
  int ranges_ = 0;  // of adjacent numbers, in this round
};

}  // namespace quell::cc::bbr3
