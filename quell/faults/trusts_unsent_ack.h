// What if a peer may acknowledge what was never sent? A fault, for the laboratory only.
//
// What: an ACK of numbers that were never sent is taken for one of all that were (RFC 9000 §13.1 asks for
// the end of the connection).
//
// When: the optimistic ACK of TCP (2001), carried over; several QUIC stacks checked it only after 2020.
//
// Symptom: a peer that acknowledges ahead of what arrives makes the sender as fast as it likes.
//
// Caught by: ack-attack.
#pragma once

#include "quell/faults/rules.h"

namespace quell::faults {

struct TrustsUnsentAck final : Rules {
  bool was_never_sent(PacketNumber /*largest_acked*/, PacketNumber /*next_number*/) const override {
    return false;
  }
  bool betrays_a_liar(bool /*covers_skipped_number*/) const override { return false; }
  PacketNumber believed_largest(PacketNumber largest_acked, PacketNumber next_number) const override {
    return std::min(largest_acked, next_number - 1);
  }
};

}  // namespace quell::faults
