// What if a window cannot fall far enough? A specimen: deliberately faulty, for the laboratory only.
//
// What: Reno whose window never falls below four packets, where RFC 9002 §7.2 recommends two.
//
// When: stacks that keep one minimum for all of their controllers and take it from BBR, which needs four
// packets for its model (draft-ietf-ccwg-bbr §5.6.4.1), or that have raised it for speed.
//
// Symptom: where many share a narrow path, each takes twice the least share; loss cannot push it lower.
//
// Caught by: floor-climb, whose window must have been at two packets.
#pragma once

#include "quell/cc/controller.h"

namespace quell::cc {

ControllerPtr make_reno_floor_4(const Config& config);

}  // namespace quell::cc
