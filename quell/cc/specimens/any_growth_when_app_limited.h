// What if a window grows that nobody fills? A specimen: deliberately faulty, for the laboratory only.
//
// What: Reno that grows by every byte acknowledged outside recovery, whether or not it was sent with the
// window full (RFC 9002 §7.8).
//
// When: many stacks in their first years; neqo again in 2026 (issue 3753), when the cure of the opposite
// fault, any-frozen-when-paced, took every paced packet for one that filled the window.
//
// Symptom: a flow of one packet per round trip ends with a window of hundreds that the path has never
// carried, and sends it at once when the application wakes up.
//
// Caught by: drip, pacing-twin (b), video, flow-control.
#pragma once

#include "quell/cc/controller.h"

namespace quell::cc {

ControllerPtr make_any_growth_when_app_limited(const Config& config);

}  // namespace quell::cc
