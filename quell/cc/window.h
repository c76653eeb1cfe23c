// What does a loss-based window remember, and how far may it move? Between two packets and the cap, in
// fractions of a byte, so that no residual of a small increment is ever dropped.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>

#include "quell/cc/controller.h"

namespace quell::cc {

// Invariant: least() <= bytes <= kMostWindow. Plain values, so that an undo is a copy.
struct Window {
  double bytes = 0;
  double packet = 0;  // max_datagram_size
  double ssthresh = std::numeric_limits<double>::infinity();
  // Bytes: the most that was in flight since the window was last reduced. The draft on rate-limited increase
  // (draft-ietf-ccwg-ratelimited-increase) calls it maxFS.
  double max_flight = 0;

  double least() const { return kLeastWindowPackets * packet; }
  bool is_in_slow_start() const { return bytes < ssthresh; }
  double packets() const { return bytes / packet; }

  // `limit` stops growth and takes nothing away: the draft's limit(maxFS), what one flight of that size could
  // earn. Growth is already confined to bytes that were sent with enough ready to fill the window (RFC 9002
  // §7.8); the limit matters where a pacer, or a round trip that became shorter, kept them from filling it.
  void grow_by(double more, double limit = static_cast<double>(kMostWindow)) {
    const double most = std::min(limit, static_cast<double>(kMostWindow));
    bytes = std::max(bytes, std::min(bytes + more, most));
  }
  // Choice: a flight that leaves no room for a packet has filled the window, fraction and all. The draft
  // counts whole packets; taken literally, it would cost a window that grows by less than one packet in each
  // round trip up to every second one of them.
  void saw_flight(ByteCount in_flight) {
    const auto flight = static_cast<double>(in_flight);
    const bool is_full = flight + packet > bytes;
    max_flight = std::max(max_flight, is_full ? std::max(flight, bytes) : flight);
  }

  // RFC 9002 §7.3.2, RFC 9438 §4.6. The window itself is cut, not the flight: a window that grows only by
  // bytes that filled it (RFC 9002 §7.8) is no larger than the network has carried, which is what §4.6 asks
  // of senders that do so. The floor is two packets after loss and after ECN-CE alike (RFC 9002 §7.2; RFC
  // 9438's one segment is TCP's).
  void cut(double beta) {
    ssthresh = std::max(bytes * beta, least());
    bytes = ssthresh;
    max_flight = 0;
  }

  // RFC 9002 §7.6.2: ssthresh stays as the congestion event left it, hence slow start.
  void collapse() {
    bytes = least();
    max_flight = 0;
  }

  // Bytes stay what they are: the path carries bytes. Only the floors follow the new size.
  void set_packet(ByteCount size) {
    packet = static_cast<double>(size);
    bytes = std::max(bytes, least());
    ssthresh = std::max(ssthresh, least());
  }

  ByteCount cwnd() const { return static_cast<ByteCount>(bytes); }
  std::optional<ByteCount> threshold() const {
    if (ssthresh == std::numeric_limits<double>::infinity()) return std::nullopt;
    return static_cast<ByteCount>(ssthresh);
  }
};

}  // namespace quell::cc
