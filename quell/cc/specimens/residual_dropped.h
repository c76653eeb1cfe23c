// What if growth is counted in whole packets? A specimen: deliberately faulty, for the laboratory only.
//
// What: Reno that grows by whole packets and drops, at each ACK, what is left over: an ACK for two packets of
// a window of twenty earns a tenth of a packet, which is nothing.
//
// When: integer arithmetic, at one time or another in most stacks; RFC 3465 counts bytes because of it.
//
// Symptom: no growth in congestion avoidance at all, unless a single ACK covers a whole window.
//
// Caught by: floor-climb, ack-partition.
#pragma once

#include "quell/cc/controller.h"

namespace quell::cc {

ControllerPtr make_residual_dropped(const Config& config);

}  // namespace quell::cc
