// What would the transport do if the window never moved? For measuring everything but congestion control;
// never for the Internet.
#pragma once

#include "quell/cc/controller.h"

namespace quell::cc {

// Deaf to loss, ECN and time. The window is `Config::fixed_window` bytes, or 32 packets.
ControllerPtr make_fixed_window(const Config& config);

}  // namespace quell::cc
