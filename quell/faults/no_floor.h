// What if recovery does not hold the window up? A fault, for the laboratory only.
//
// What: no floor in recovery (RFC 9002 §7.2), so that a controller without one, reno-no-floor, can fall below
// a packet.
//
// When: every stack in which each controller keeps its own floor, and one forgets.
//
// Symptom: nothing may be sent, nothing is in flight, no timer but the idle timer runs: silence.
//
// Caught by: floor-climb, and the law of the floor.
#pragma once

#include "quell/faults/rules.h"

namespace quell::faults {

struct NoFloor final : Rules {
  ByteCount least_window(ByteCount /*wanted_packets*/, ByteCount /*max_datagram_size*/) const override {
    return 0;
  }
};

}  // namespace quell::faults
