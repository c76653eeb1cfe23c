// What if a rate may be nothing? A specimen: deliberately faulty, for the laboratory only.
//
// What: BBRv3 that keeps its pacing rate in whole bytes per microsecond and takes what the model says without
// a look at it: below 8 Mbit/s, and for a model without a sample, that is zero.
//
// When: rates in integers of too large a unit, or divided by a time in one; at one time or another in several
// stacks.
//
// Symptom: a sender that asks for a rate of zero waits for ever, or, where the transport lets out a packet
// per round trip nevertheless, measures just that: the model confirms itself and the flow never recovers.
//
// Caught by: collapse-recovery.
#pragma once

#include "quell/cc/controller.h"

namespace quell::cc {

ControllerPtr make_zero_pacing_rate(const Config& config);

}  // namespace quell::cc
