// What does an undo bring back that it should not? A specimen: deliberately faulty, for the laboratory only.
//
// What: CUBIC that moves its epoch by each idle gap, as it should; but when an episode turns out to have been
// spurious, the epoch of before comes back as it was saved, without the gaps in between. (Told in terms of
// the growth clock: the gaps come back onto it.)
//
// When: wherever the epoch is one of the values that are saved at the cut and restored (RFC 9438 §4.9.2 lists
// it) while the shift after idle changes only the current one.
//
// Symptom: after the undo t holds the gap, and the window jumps ahead on its curve.
//
// Caught by: undo-after-silence.
#pragma once

#include "quell/cc/controller.h"

namespace quell::cc {

ControllerPtr make_cubic_restore_stale_epoch(const Config& config);

}  // namespace quell::cc
