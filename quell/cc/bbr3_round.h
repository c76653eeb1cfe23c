// When has a round trip passed, as packets count it? When a packet is acknowledged that was sent after the
// round began (draft §5.5.1). No clock takes part, so idleness ages nothing.
#pragma once

#include <cstdint>

#include "quell/base/units.h"

namespace quell::cc::bbr3 {

class Round {
 public:
  // A round of its own begins now.
  void start(ByteCount delivered) { ends_at_ = delivered; }

  // Once per ACK. `prior_delivered`: C.delivered when the newest acknowledged packet was sent.
  void on_ack(ByteCount prior_delivered, ByteCount delivered) {
    is_start_ = prior_delivered >= ends_at_;
    if (!is_start_) return;
    start(delivered);
    ++count_;
  }

  // This ACK is the first of a round.
  bool is_start() const { return is_start_; }
  std::uint64_t count() const { return count_; }

 private:
  ByteCount ends_at_ = 0;
  std::uint64_t count_ = 0;
  bool is_start_ = false;
};

}  // namespace quell::cc::bbr3
