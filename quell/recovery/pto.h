// When has the peer been silent for too long? (RFC 9002 §6.2) Pure arithmetic over facts.
#pragma once

#include <array>
#include <cstdint>
#include <optional>

#include "quell/base/time.h"
#include "quell/wire/types.h"

namespace quell {

// What the connection knows and the PTO needs (RFC 9002 §6.2.1, §6.2.2.1).
struct HandshakeFacts {
  bool has_handshake_keys = false;
  bool is_confirmed = false;
  // Client: the server has acknowledged a Handshake packet, or the handshake is confirmed. Server: always
  // true.
  bool peer_validated_address = false;
  // Server: sent as much as the anti-amplification limit allows; no PTO is armed then.
  bool is_amplification_limited = false;
  bool operator==(const HandshakeFacts&) const = default;
};

struct PtoFacts {
  // When the last ack-eliciting packet of each space left; nothing if none is in flight there.
  std::array<std::optional<TimePoint>, kSpaceCount> last_ack_eliciting;
  Duration base{0};           // smoothed_rtt + max(4 × rttvar, kGranularity)
  Duration max_ack_delay{0};  // the peer's
  std::uint32_t count = 0;    // PTOs in a row
  HandshakeFacts handshake;
  // From when the anti-deadlock timer runs: the last time that the timer was set anew.
  TimePoint anti_deadlock_from;
};

struct PtoTimer {
  TimePoint at;
  Space space = Space::initial;
  // Nothing is in flight; the client only lifts the server's amplification limit (§6.2.2.1).
  bool is_anti_deadlock = false;
};

// Nothing: no PTO must be armed.
std::optional<PtoTimer> next_pto(const PtoFacts& facts);

}  // namespace quell
