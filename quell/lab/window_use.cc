#include "quell/lab/window_use.h"

namespace quell::lab {
namespace {

// Choice: a window counts as full to within two packets; the transport's own rule is one.
constexpr ByteCount kSlackPackets = 2;

}  // namespace

void WindowUse::on_turn_end(const TurnEnd& end) {
  const ByteCount used = end.in_flight + kSlackPackets * end.packet;
  const bool is_filling =
      !is_confirmed_ || is_repairing_ || used >= end.cwnd || end.backlog >= end.cwnd - used;
  for (std::uint64_t n = turn_begins_at_; n < is_filling_.size(); ++n) is_filling_[n] = is_filling;
  turn_begins_at_ = is_filling_.size();
  if (end.in_flight == 0) is_repairing_ = false;
}

}  // namespace quell::lab
