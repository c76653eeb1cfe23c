// What if few losses are taken for none? A specimen: deliberately faulty, for the laboratory only.
//
// What: CUBIC that takes back its cut at the end of an episode in which few packets were lost, as if they had
// been spurious; nobody asks whether they ever arrived.
//
// When: Cloudflare's quiche since 2021 (pull requests 890 and 1056; issue 1411 shows the saw's teeth):
// fewer than 20 % of the window's packets, or than 10. RFC 9438 §4.9.2 allows an undo for losses that are
// known to be spurious.
//
// Symptom: a path with random loss is answered with no reduction at all; the window grows until the queue
// overflows, whatever the others on the path do.
//
// Caught by: reno-region, and by the law that growth stays within what was acknowledged.
#pragma once

#include "quell/cc/controller.h"

namespace quell::cc {

ControllerPtr make_cubic_rollback_real_loss(const Config& config);

}  // namespace quell::cc
