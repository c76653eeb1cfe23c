// What if the backoff is counted twice? A fault, for the laboratory only.
//
// What: the PTO grows by four at each expiry, not by two (RFC 9002 §6.2.1).
//
// When: wherever the counter is raised, or the period scaled, in two places: s2n-quic once for each packet
// number space until 2021 (issue 545); the draft itself was read so (base-drafts pull request 3974).
//
// Symptom: after a short outage the sender is silent for as long again as the outage lasted, times three.
//
// Caught by: blackout.
#pragma once

#include "quell/faults/rules.h"

namespace quell::faults {

struct PtoTimesFour final : Rules {
  Duration backed_off(Duration period, std::uint32_t count) const override {
    return rules::backed_off(period, 2 * count);
  }
};

}  // namespace quell::faults
