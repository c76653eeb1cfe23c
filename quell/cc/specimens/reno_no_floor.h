// What if nothing keeps a window from falling? A specimen: deliberately faulty, for the laboratory only.
//
// What: Reno that halves its window at every loss, to one packet and below.
//
// When: a controller written for a transport that keeps the floor itself, in one that does not; or RFC 9438
// §4.6's one segment, which is TCP's, taken over by QUIC.
//
// Symptom: below one packet nothing may be sent; with nothing in flight no ACK comes and no probe is due: the
// connection is silent until its idle timeout. quell's recovery keeps the floor whatever a controller
// answers, so the specimen is dangerous only together with the fault of the same name in recovery
// (quell/faults).
//
// Caught by: floor-climb, and the law of the floor.
#pragma once

#include "quell/cc/controller.h"

namespace quell::cc {

ControllerPtr make_reno_no_floor(const Config& config);

}  // namespace quell::cc
