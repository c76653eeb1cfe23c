// What if a pacer is taken for an idle application? A specimen: deliberately faulty, for the laboratory only.
//
// What: Reno in which only those packets grow the window whose sending filled it, byte by byte; that the
// pacer held back the next one is no excuse (RFC 9002 §7.8 says it is one).
//
// When: s2n-quic until 2022 (pull requests 1326, 1367), ngtcp2 until 2024 (1352), neqo until 2026 (3640).
//
// Symptom: with data waiting all the time, growth comes from the last packets of each round at best; a paced
// sender that never quite fills its window never grows again.
//
// Caught by: pacing-twin (a).
#pragma once

#include "quell/cc/controller.h"

namespace quell::cc {

ControllerPtr make_any_frozen_when_paced(const Config& config);

}  // namespace quell::cc
