// Why did a connection end, in words for people?
#pragma once

#include <string>

#include "quell/connection/event.h"

namespace quell::lab {

std::string describe(const ConnectionEnded& ended);

}  // namespace quell::lab
