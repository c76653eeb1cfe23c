#include "quell/cc/slow_start.h"

#include <algorithm>

namespace quell::cc {

double grow_classically(Window& window, double growable) {
  const double step = std::min(growable, window.ssthresh - window.bytes);
  window.grow_by(step, 2 * window.max_flight);
  return growable - step;
}

}  // namespace quell::cc
