// What does recovery make of 20 lost MTU probes? A trial without a path: the stack does not search for the
// path's MTU yet, so no scenario can make it send a probe, but recovery knows them.
#pragma once

#include "quell/lab/specimens.h"

namespace quell::faults {

// Run with the rules that are in force.
lab::Trial try_mtu_probes();

}  // namespace quell::faults
