// Which packets filled the window when they left? Only those may grow it (RFC 9002 §7.8).
#pragma once

#include <cstdint>
#include <vector>

#include "quell/base/units.h"

namespace quell::lab {

// Known at the end of the turn in which they left: with all that the application had ready, but without
// pacing, the window would have been full. Where the transport may have had more to send than its application
// knows (the handshake, what is to be sent again), all packets count as filling: the law that asks must not
// cry wolf.
class WindowUse {
 public:
  struct TurnEnd {
    ByteCount cwnd = 0;
    ByteCount packet = 0;  // max_datagram_size
    ByteCount in_flight = 0;
    ByteCount backlog = 0;  // what the application has ready, within and before its transport
  };

  void on_sent() { is_filling_.push_back(true); }  // in the order of ordinals
  void on_confirmed() { is_confirmed_ = true; }
  void on_lost() { is_repairing_ = true; }
  void on_turn_end(const TurnEnd& end);
  bool was_filling(std::uint64_t ordinal) const { return is_filling_[ordinal]; }

 private:
  std::vector<bool> is_filling_;  // one per packet, by ordinal
  std::uint64_t turn_begins_at_ = 0;
  bool is_confirmed_ = false;
  bool is_repairing_ = false;  // since the last loss, something has been in flight all the time
};

}  // namespace quell::lab
