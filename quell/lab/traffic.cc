#include "quell/lab/traffic.h"

namespace quell::lab {

void Traffic::on_left(path::Fate fate, const path::Packet& packet, TimePoint now) {
  if (fate != path::Fate::delivered) return;
  const Side from = packet.way == path::Way::up ? Side::client : Side::server;
  ++of(other(from)).datagrams;
  of(from).bytes += packet.bytes.size();
  if (from == sender_) deliveries_.push_back({now, static_cast<std::uint32_t>(packet.bytes.size())});
}

Duration Traffic::busy(Side host, const sim::HostConfig& config) const {
  const Work& work = of(host);
  return config.turn_cost * static_cast<std::int64_t>(work.turns) +
         config.datagram_cost * static_cast<std::int64_t>(work.datagrams);
}

}  // namespace quell::lab
