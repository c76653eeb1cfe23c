// What if the loss of an ACK cuts the window? A fault, for the laboratory only.
//
// What: a packet that carried nothing but an ACK is declared lost like any other, and the controller hears of
// it.
//
// When: the recovery drafts until 2018 (issues 903 and 2104 of quicwg/base-drafts): ACK-only packets did not
// count when sent and did when lost.
//
// Symptom: a sender that also receives cuts its window for ACKs that got lost on their way, or that the peer
// was never asked to acknowledge.
//
// Caught by: the law that a packet leaves flight once (it never was in flight).
#pragma once

#include "quell/faults/rules.h"

namespace quell::faults {

struct AckOnlyCountedLost final : Rules {
  bool counts_when_lost(const SentPacket& /*packet*/) const override { return true; }
};

}  // namespace quell::faults
