// Where do a connection's parts leave what the application must hear?
#pragma once

#include <deque>

#include "quell/connection/event.h"

namespace quell {

using EventBody = decltype(Event::what);
// Bounded by construction: once-only events of the connection, and level-triggered ones that a stream has at
// most one of each.
using EventQueue = std::deque<EventBody>;

}  // namespace quell
