#include "quell/lab/crossings.h"

namespace quell::lab {

void Crossings::on_entered(const sim::Tap::Entered& datagram, TimePoint now) {
  const path::Way way = datagram.from.side == Side::client ? path::Way::up : path::Way::down;
  if (way != way_ || datagram.fate == path::Fate::delivered) return;
  drops_.push_back({now, datagram.from.flow});
}

void Crossings::on_left(path::Fate fate, const path::Packet& packet, TimePoint now) {
  if (packet.way != way_) return;
  if (fate != path::Fate::delivered) {
    drops_.push_back({now, packet.flow});
    return;
  }
  crossings_.push_back({.left_at = packet.leaves_at,
                        .waited = packet.waited,
                        .size = static_cast<std::uint32_t>(packet.bytes.size()),
                        .flow = packet.flow});
}

double Crossings::bytes_of(std::uint32_t flow, TimePoint from, TimePoint to) const {
  double bytes = 0;
  for (const Crossing& crossing : crossings_) {
    if (crossing.flow == flow && crossing.left_at >= from && crossing.left_at < to) bytes += crossing.size;
  }
  return bytes;
}

}  // namespace quell::lab
