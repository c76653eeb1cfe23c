// What if a packet leaves flight twice? A fault, for the laboratory only.
//
// What: a packet declared lost leaves flight, and leaves it again when it is acknowledged after all; a
// saturating subtraction hides it.
//
// When: the recovery drafts until 2019 (issue 2571 of quicwg/base-drafts), quic-go in 2018 (issue 1256).
//
// Symptom: on a path that reorders, bytes in flight fall behind the truth, and more than a window leaves.
//
// Caught by: reorder-undo, by the law of bytes in flight.
#pragma once

#include "quell/faults/rules.h"

namespace quell::faults {

struct DoubleRemoveFlight final : Rules {
  ByteCount leaves_flight_when_late(const SentPacket& packet) const override { return packet.size; }
  ByteCount taken_out_of_flight(ByteCount bytes_in_flight, ByteCount size) const override {
    return bytes_in_flight - std::min(bytes_in_flight, size);
  }
};

}  // namespace quell::faults
