// What if a lost MTU probe cuts the window? A fault, for the laboratory only.
//
// What: the exemption of RFC 9000 §14.4 is missing: a probe is lost because of its size, not because of
// congestion.
//
// When: stacks that got path MTU discovery after congestion control; quiche forgot the other half of it, and
// never took lost probes out of flight, until 2024 (pull request 1759).
//
// Symptom: a search for the path MTU costs one cut for each size that does not fit.
//
// Caught by: a trial of recovery alone (mtu_probe_trial.h), until the stack searches for the MTU.
#pragma once

#include "quell/faults/rules.h"

namespace quell::faults {

struct ProbeAsCongestion final : Rules {
  bool is_congestion_when_lost(const SentPacket& /*packet*/) const override { return true; }
};

}  // namespace quell::faults
