// What did the first half of the fix do where it was written? A specimen: deliberately faulty, for the
// laboratory only.
//
// What: CUBIC in wall-clock time whose epoch is moved by now − last send whenever a packet leaves with
// nothing in flight, with nothing to keep the epoch out of the future; and Linux's unsigned fixed-point time
// behind it.
//
// When: Linux commit 30927520dbae without c2e7204d180f, which came a week later, both in September 2015; the
// name keeps the year that the story is usually told with. The recovery boundary is not
// entangled.
//
// Symptom: the epoch is set when an ACK arrives but moved from the last send, so each time the pipe runs
// empty it gains the wait for that ACK. (1) Where every ACK empties the pipe (two packets, or one ACK per
// round), the curve's time stands still at about one RTT: the window crawls along W_est and never follows its
// curve, without one recovery flip. (2) Once the RTT shrinks to less than half of the one at the epoch, t is
// negative, is taken for an enormous unsigned number, and its cube is noise: the window grows by half of
// itself each round, far past W_max.
//
// Caught by: curve-exact with one ACK per round (1) and after a queue has drained (2); a test that counts
// flips is blind to both, and so is a climb from the floor, which W_est carries.
//
// Everything else is RFC 9438, so that only the fault is on trial; the RTT added to t is the least one, as in
// Linux.
#pragma once

#include "quell/cc/controller.h"

namespace quell::cc {

ControllerPtr make_cubic_linux_2017(const Config& config);

}  // namespace quell::cc
