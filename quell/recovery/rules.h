// Which rules are small, easily got wrong, and have been? Each is a stateless function with its section of
// the RFC, so that a laboratory can put a faulty one in its place and see whether anybody notices
// (quell/faults).
#pragma once

#include <algorithm>
#include <cstdint>

#include "quell/base/check.h"
#include "quell/base/time.h"
#include "quell/base/units.h"
#include "quell/recovery/sent_packets.h"

namespace quell::rules {

inline constexpr Duration kLongestPto = hours{24};

// `period` × 2^count (RFC 9002 §6.2.1). Choice: the result saturates at a day; the idle timeout ends a
// connection long before.
inline Duration backed_off(Duration period, std::uint32_t count) {
  constexpr std::uint32_t kMostShift = 40;
  const std::uint32_t shift = std::min(count, kMostShift);
  if (period > kLongestPto / (std::int64_t{1} << shift)) return kLongestPto;
  return period * (std::int64_t{1} << shift);
}

// RFC 9002 §7.2: no controller can bring the window below two packets; it may ask for more.
inline ByteCount least_window(ByteCount wanted_packets, ByteCount max_datagram_size) {
  constexpr ByteCount kLeastWindowPackets = 2;
  return std::max(kLeastWindowPackets, wanted_packets) * max_datagram_size;
}

// RFC 9000 §13.1: such an acknowledgement closes the connection.
inline bool was_never_sent(PacketNumber largest_acked, PacketNumber next_number) {
  return largest_acked >= next_number;
}

// RFC 9000 §21.4: so does one that covers a number which was left out on purpose.
inline bool betrays_a_liar(bool covers_skipped_number) {
  return covers_skipped_number;
}

// What becomes of the largest acknowledged number, once it is known to have been sent.
inline PacketNumber believed_largest(PacketNumber largest_acked, PacketNumber /*next_number*/) {
  return largest_acked;
}

// What min_rtt takes from a sample: all of it, for the peer's word about its delay can be wrong and min_rtt
// would never forget (RFC 9002 §5.2).
inline Duration min_rtt_sample(Duration latest_rtt, Duration /*ack_delay*/) {
  return latest_rtt;
}

// RFC 9002 §7: the loss of a packet that was not in flight, an ACK, says nothing that we use.
inline bool counts_when_lost(const SentPacket& packet) {
  return packet.is_in_flight;
}

// RFC 9000 §14.4: a probe for a larger datagram is lost because of its size.
inline bool is_congestion_when_lost(const SentPacket& packet) {
  return !packet.is_mtu_probe;
}

// What is left in flight. A packet leaves once, hence never more than there is.
inline ByteCount taken_out_of_flight(ByteCount bytes_in_flight, ByteCount size) {
  QUELL_CHECK(size <= bytes_in_flight);
  return bytes_in_flight - size;
}

// What leaves flight when a packet is acknowledged that had been declared lost: it has left already.
inline ByteCount leaves_flight_when_late(const SentPacket& /*packet*/) {
  return 0;
}

}  // namespace quell::rules
