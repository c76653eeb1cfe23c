// Which script is near to this one? One to three small changes, for a search that follows a slope.
#pragma once

#include "quell/base/rng.h"
#include "quell/lab/scenario.h"

namespace quell::lab {

// The result is judgeable again (script_gen.h).
Variant mutate(const Variant& script, Rng& rng);

}  // namespace quell::lab
