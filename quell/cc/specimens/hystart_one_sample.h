// What if one slow packet ends slow start? A specimen: deliberately faulty, for the laboratory only.
//
// What: Reno whose slow start ends with the first round trip that takes an eighth (at least 4 ms) longer than
// the shortest one seen. RFC 9406 compares the least of at least eight samples of a round with the round
// before, and then goes on, slower, to see whether it was jitter.
//
// When: delay-based exits before HyStart++, HyStart of 2008 with its inter-packet trains among them; Linux
// hosts were told to turn it off on jittery links.
//
// Symptom: on a path with a few milliseconds of jitter, or a radio link, slow start ends within the first
// rounds, and the rest of the way takes one packet per round trip.
//
// Caught by: hystart-twin (a).
#pragma once

#include "quell/cc/controller.h"

namespace quell::cc {

ControllerPtr make_hystart_one_sample(const Config& config);

}  // namespace quell::cc
