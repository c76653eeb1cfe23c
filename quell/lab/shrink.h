// What is the least of this script that still fails? Delta debugging: parts are taken away and amounts made
// round for as long as the failure stays.
#pragma once

#include <cstddef>
#include <functional>

#include "quell/lab/scenario.h"

namespace quell::lab {

struct Shrunk {
  Variant script;
  std::size_t tried = 0;
};

// `still_fails` must hold for `script`; it is asked at most `most_tries` times. What holds for the result
// too.
Shrunk shrink(Variant script, const std::function<bool(const Variant&)>& still_fails, std::size_t most_tries);

}  // namespace quell::lab
