// What if a peer may acknowledge what was never sent? A fault, for the laboratory only.
//
// What: the largest acknowledged number is believed whatever it is (RFC 9000 §13.1 asks for the end of the
// connection).
//
// When: the optimistic ACK of TCP (2001), carried over; several QUIC stacks checked it only after 2020.
//
// Symptom: a peer that lies about the future is answered faster; all that is in flight is taken for lost.
//
// Caught by: ack-attack.
#pragma once

#include "quell/faults/rules.h"

namespace quell::faults {

struct TrustsUnsentAck final : Rules {
  bool was_never_sent(PacketNumber /*largest_acked*/, PacketNumber /*next_number*/) const override {
    return false;
  }
};

}  // namespace quell::faults
