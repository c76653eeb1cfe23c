// Is a connection pinned at its smallest window although nothing goes wrong? The sign of every bug of the
// collapsed-window family.
#pragma once

#include "quell/base/units.h"

namespace quell {

// Counts round trips, measured by packet number, during the whole of which the window was at its floor, data
// was waiting, and nothing was lost or marked.
class FloorWatch {
 public:
  // Any moment at which it can be told whether the window is at its floor with data waiting.
  void observe(bool is_pinned) { is_clean_ = is_clean_ && is_pinned; }
  void on_loss_or_mark() { is_clean_ = false; }
  // True if this ACK ended a round trip that counts. `next_number`: the number of the next packet to be sent.
  bool on_ack(PacketNumber largest_acked, PacketNumber next_number, bool is_pinned) {
    observe(is_pinned);
    if (largest_acked < round_end_) return false;
    const bool counts = is_clean_;
    is_clean_ = is_pinned;
    round_end_ = next_number;
    return counts;
  }

 private:
  PacketNumber round_end_ = 0;  // the round ends when this packet, or a later one, is acknowledged
  bool is_clean_ = false;
};

}  // namespace quell
