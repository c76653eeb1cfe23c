// How long may an epoch last? A specimen: deliberately faulty, for the laboratory only.
//
// What: CUBIC in wall-clock time with fixed-point arithmetic: (t − K)³ in 1/256 s, times C, times the packet
// size, in 64 bits. 2^63 is reached when t − K = 155 s; what follows is noise, and it is believed without a
// bound.
//
// When: FreeBSD until 2019 (D18954: "integer overflows" after long application stalls), and every port that
// kept the scaled integers of a kernel.
//
// Symptom: nothing for the first minutes. An application that sends little keeps the epoch alive for longer,
// and when it has more to send, one ACK throws the window to a number that nobody has ever seen.
//
// Caught by: epoch-days, by the law that growth stays within what was acknowledged.
#pragma once

#include "quell/cc/controller.h"

namespace quell::cc {

ControllerPtr make_cubic_t3_overflow(const Config& config);

}  // namespace quell::cc
