// What time is it? The one place of the stack that reads a clock.
#pragma once

#include "quell/base/time.h"

namespace quell::net {

// CLOCK_MONOTONIC: never runs backwards, does not count suspension.
TimePoint now();

}  // namespace quell::net
