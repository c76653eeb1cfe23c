// How does a Scenario become the text of a file? What parse_scenario reads back is equal to it.
#pragma once

#include <string>

#include "quell/lab/scenario.h"

namespace quell::lab {

// Every variant is written whole, and keys that hold their default are left out: what the text of the
// original file had in common between variants, and its comments, are gone.
std::string write_scenario(const Scenario& scenario);

}  // namespace quell::lab
