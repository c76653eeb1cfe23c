// Can a window freeze without a single flip of state? A specimen: deliberately faulty, for the laboratory
// only.
//
// What: the family of cubic-quiche-2020 without the entangled recovery boundary: CUBIC in wall-clock time,
// its epoch moved by now − last send whenever a packet leaves with nothing in flight, and a W_est that is a
// function of t, too, as RFC 8312 §4.2 wrote it, not of acknowledged bytes (RFC 9438 §4.3).
//
// When: quicly since 2020 (pull request 380); RFC 8312's form of W_est was the usual one until 2023.
//
// Symptom: where every ACK empties the pipe, t stands still at about one RTT, and with it both the curve and
// W_est: the window stays at its floor of two packets for as long as the flow lives. Recovery is not entered
// once, so nobody who counts flips sees it.
//
// Caught by: floor-climb, which asks for growth.
#pragma once

#include "quell/cc/controller.h"

namespace quell::cc {

ControllerPtr make_cubic_time_west(const Config& config);

}  // namespace quell::cc
