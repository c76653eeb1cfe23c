// What would the transport do if it sent at one rate, whatever happens? A baseline for measurements; never
// for the Internet.
#pragma once

#include "quell/cc/controller.h"

namespace quell::cc {

// Deaf to loss and ECN. Paces at `Config::fixed_rate`, or 10 Mbit/s. Its window is what the rate needs for
// two round trips, so that the rate binds and not the window; 4 packets at least. Until the first RTT sample
// it is the initial window.
ControllerPtr make_fixed_rate(const Config& config);

}  // namespace quell::cc
