// What did CUBIC do after a pause before anybody moved its epoch? A specimen: deliberately faulty, for the
// laboratory only.
//
// What: CUBIC whose t is the wall-clock time since the epoch: time in which nothing was sent counts.
//
// When: Linux until September 2015 (commit 30927520dbae), FreeBSD until 2019 (D18954), and whoever wrote the
// formula down without its footnote (RFC 9438 §4.2: t holds no time in which the window was not updated).
//
// Symptom: after a pause the curve has run away: the target is as far as it may be, half a window ahead, and
// the window grows by half of itself in each round trip until the queue overflows.
//
// Caught by: idle-hour.
#pragma once

#include "quell/cc/controller.h"

namespace quell::cc {

ControllerPtr make_cubic_no_epoch_shift(const Config& config);

}  // namespace quell::cc
