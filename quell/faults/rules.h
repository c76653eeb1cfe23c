// Which rules does a faulty recovery follow? The sound ones, except for the one that is on trial. For the
// laboratory's own build of recovery only: the product is never linked with it.
#pragma once

#include "quell/recovery/rules.h"

namespace quell::faults {

// The rules of quell/recovery/rules.h, each as a verb that a fault may override.
struct Rules {
  virtual ~Rules() = default;

  virtual Duration backed_off(Duration period, std::uint32_t count) const {
    return rules::backed_off(period, count);
  }
  virtual ByteCount least_window(ByteCount wanted_packets, ByteCount max_datagram_size) const {
    return rules::least_window(wanted_packets, max_datagram_size);
  }
  virtual bool was_never_sent(PacketNumber largest_acked, PacketNumber next_number) const {
    return rules::was_never_sent(largest_acked, next_number);
  }
  virtual bool betrays_a_liar(bool covers_skipped_number) const {
    return rules::betrays_a_liar(covers_skipped_number);
  }
  virtual PacketNumber believed_largest(PacketNumber largest_acked, PacketNumber next_number) const {
    return rules::believed_largest(largest_acked, next_number);
  }
  virtual Duration min_rtt_sample(Duration latest_rtt, Duration ack_delay) const {
    return rules::min_rtt_sample(latest_rtt, ack_delay);
  }
  virtual bool counts_when_lost(const SentPacket& packet) const { return rules::counts_when_lost(packet); }
  virtual bool is_congestion_when_lost(const SentPacket& packet) const {
    return rules::is_congestion_when_lost(packet);
  }
  virtual ByteCount taken_out_of_flight(ByteCount bytes_in_flight, ByteCount size) const {
    return rules::taken_out_of_flight(bytes_in_flight, size);
  }
  virtual ByteCount leaves_flight_when_late(const SentPacket& packet) const {
    return rules::leaves_flight_when_late(packet);
  }
};

// What recovery asks. Sound until put_in_force; to be changed only while nothing runs.
const Rules& in_force();
// Null: the sound ones again.
void put_in_force(const Rules* rules);

}  // namespace quell::faults
