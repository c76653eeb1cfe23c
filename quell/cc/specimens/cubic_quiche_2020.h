// What did a port of half a fix do? A specimen: deliberately faulty, for the laboratory only.
//
// What: CUBIC whose recovery boundary is a point in time and is at once the zero of its curve. When a packet
// leaves with nothing in flight, the time since the last packet left is taken for idleness and added to that
// one variable.
//
// When: Cloudflare's quiche, from its first CUBIC (2020-03) to 0.25.0 (2026-02). It ported Linux commit
// 30927520dbae without the commit that followed, c2e7204d180f, onto a variable with two meanings.
//
// Symptom: at two packets every ACK empties the pipe, so each round adds a round trip of waiting to the
// boundary. It runs ahead of every packet sent, every ACK (and every loss) seems to belong to the last
// recovery, and the window stays at two packets and a fraction for as long as the packets of a round share
// one timestamp. Where a round lasts longer than the boundary's lead, the state flips twice in each, without
// a loss.
//
// Caught by: collapse-recovery, floor-climb.
//
// The form is that of 0.25.0 without what is not the fault: PRR, HyStart++, and the rollback of small losses
// (a fault of its own). Choice: whether the sender is application-limited is the transport's word about the
// last packet sent; quiche asked whether the last packet filled the window, which a pacer can make false for
// other reasons. Persistent congestion and ECN-CE are not heard: quiche acted on neither (its test for the
// former always answered no).
#pragma once

#include "quell/cc/controller.h"

namespace quell::cc {

ControllerPtr make_cubic_quiche_2020(const Config& config);

}  // namespace quell::cc
