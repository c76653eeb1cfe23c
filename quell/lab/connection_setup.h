// With which settings does a connection of a run begin?
#pragma once

#include <string>

#include "quell/connection/config.h"
#include "quell/lab/scenario.h"

namespace quell::lab {

ConnectionConfig connection_config(const Variant& variant, const std::string& controller);

// Do the laws of a window that follows losses not hold for it? `controller` must be a name of cc/registry.
bool has_lawless_window(const std::string& controller);

}  // namespace quell::lab
