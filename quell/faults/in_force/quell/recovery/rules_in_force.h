// Which rules does this build of recovery follow? Those that are on trial. Stands before the product's file
// of the same name on the include path of quell_faulty_recovery, and nowhere else.
#pragma once

#include "quell/faults/rules.h"

namespace quell::rule {

inline Duration backed_off(Duration period, std::uint32_t count) {
  return faults::in_force().backed_off(period, count);
}
inline ByteCount least_window(ByteCount wanted_packets, ByteCount max_datagram_size) {
  return faults::in_force().least_window(wanted_packets, max_datagram_size);
}
inline bool was_never_sent(PacketNumber largest_acked, PacketNumber next_number) {
  return faults::in_force().was_never_sent(largest_acked, next_number);
}
inline bool betrays_a_liar(bool covers_skipped_number) {
  return faults::in_force().betrays_a_liar(covers_skipped_number);
}
inline PacketNumber believed_largest(PacketNumber largest_acked, PacketNumber next_number) {
  return faults::in_force().believed_largest(largest_acked, next_number);
}
inline Duration min_rtt_sample(Duration latest_rtt, Duration ack_delay) {
  return faults::in_force().min_rtt_sample(latest_rtt, ack_delay);
}
inline bool counts_when_lost(const SentPacket& packet) {
  return faults::in_force().counts_when_lost(packet);
}
inline bool is_congestion_when_lost(const SentPacket& packet) {
  return faults::in_force().is_congestion_when_lost(packet);
}
inline ByteCount taken_out_of_flight(ByteCount bytes_in_flight, ByteCount size) {
  return faults::in_force().taken_out_of_flight(bytes_in_flight, size);
}
inline ByteCount leaves_flight_when_late(const SentPacket& packet) {
  return faults::in_force().leaves_flight_when_late(packet);
}

}  // namespace quell::rule
