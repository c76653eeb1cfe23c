#include "quell/cc/slow_start.h"

#include <algorithm>

namespace quell::cc {

double ClassicSlowStart::on_ack(Window& window, const AckEvent& event) {
  const auto growable = static_cast<double>(event.growable_bytes);
  const double step = std::min(growable, window.ssthresh - window.bytes);
  window.grow_by(step);
  return growable - step;
}

}  // namespace quell::cc
