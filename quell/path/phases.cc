#include "quell/path/phases.h"

#include "quell/wire/packet_header.h"

namespace quell::path {

bool holds_one_rtt(Bytes datagram) {
  while (!datagram.empty()) {
    if ((datagram[0] & 0x80) == 0) return true;
    const auto packet = parse_packet(datagram, 0);
    if (!packet || packet->size == 0) return false;
    datagram = datagram.subspan(packet->size);
  }
  return false;
}

void Phases::watch(Way way, Bytes datagram, TimePoint now) {
  auto& first = first_one_rtt_[index(way)];
  if (!first && holds_one_rtt(datagram)) first = now;
}

std::optional<TimePoint> Phases::begins_at(const Trigger& trigger) const {
  if (trigger.opening == Opening::start) return start_ + trigger.after;
  const Way way = trigger.opening == Opening::first_one_rtt_up ? Way::up : Way::down;
  const auto& first = first_one_rtt_[index(way)];
  if (!first) return std::nullopt;
  return *first + trigger.after;
}

bool Phases::is_open(const Trigger& from, const std::optional<Duration>& lasts, TimePoint now) const {
  const auto begin = begins_at(from);
  return begin && now >= *begin && (!lasts || now < *begin + *lasts);
}

}  // namespace quell::path
