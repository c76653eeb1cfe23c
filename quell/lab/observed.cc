#include "quell/lab/observed.h"

namespace quell::lab {

std::optional<TimePoint> first_ack_of_a_packet_sent_after(const Watch& watch, TimePoint t) {
  for (const Watch::Ack& ack : watch.acks()) {
    if (ack.newest_sent_at > t) return ack.at;
  }
  return std::nullopt;
}

std::optional<TimePoint> find_anchor(const Observed& observed) {
  const Watch& watch = *observed.sender;
  if (observed.variant->measure.anchor == Anchor::last_cut) {
    if (watch.recovery_exits().empty()) return std::nullopt;
    return watch.recovery_exits().back();
  }
  if (!observed.trouble_ended_at) return std::nullopt;
  return first_ack_of_a_packet_sent_after(watch, *observed.trouble_ended_at);
}

}  // namespace quell::lab
