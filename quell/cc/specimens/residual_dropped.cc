#include "quell/cc/specimens/residual_dropped.h"

#include <cmath>

#include "quell/cc/loss_based.h"
#include "quell/cc/reno.h"
#include "quell/cc/slow_start.h"

namespace quell::cc {
namespace {

struct WholePackets : RenoAvoidance {
  static constexpr Traits kTraits{.name = "residual-dropped"};

  void grow(Window& window, double growable, const AckEvent& /*event*/) {
    window.grow_by(std::floor(growable / window.bytes) * window.packet);  // the fault
  }
};

}  // namespace

ControllerPtr make_residual_dropped(const Config& config) {
  return std::make_unique<LossBased<ClassicSlowStart, WholePackets>>(config);
}

}  // namespace quell::cc
