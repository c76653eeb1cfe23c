// What if silence is not heard as silence? A specimen: deliberately faulty, for the laboratory only.
//
// What: BBRv3 that takes no notice when it restarts from idle: the minimum round trip time that expired
// meanwhile calls for ProbeRTT on the first ACK, and a ProbeRTT whose time is over is not left before the
// next flight but only after it.
//
// When: Linux until 2018 did not leave ProbeRTT upon a restart, and forgot the restart at the first ACK
// without data.
//
// Symptom: whoever pauses for more than five seconds pays 200 ms at half a window for each pause, just when
// there is something to send again.
//
// Caught by: chunk-per-pause.
#pragma once

#include "quell/cc/controller.h"

namespace quell::cc {

ControllerPtr make_bbr_probe_rtt_on_idle(const Config& config);

}  // namespace quell::cc
