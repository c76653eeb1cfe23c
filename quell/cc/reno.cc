#include "quell/cc/reno.h"

#include <algorithm>

#include "quell/cc/hystart.h"
#include "quell/cc/loss_based.h"
#include "quell/cc/slow_start.h"

namespace quell::cc {
namespace {

constexpr Traits kClassicTraits = renamed(RenoAvoidance::kTraits, "reno-classic");

}  // namespace

// RFC 9002 §7.3.3: at most one packet per window acknowledged. An ACK that covers more than a window (the
// window was cut after those bytes were sent) earns no more than the bytes it acknowledges.
void RenoAvoidance::grow(Window& window, double growable, const AckEvent& /*event*/) {
  window.grow_by(std::min(window.packet * growable / window.bytes, growable),
                 window.max_flight + window.packet);
}

ControllerPtr make_reno(const Config& config) {
  return std::make_unique<LossBased<HyStart, RenoAvoidance>>(config);
}

ControllerPtr make_reno_classic(const Config& config) {
  return std::make_unique<LossBased<ClassicSlowStart, RenoAvoidance>>(config, kClassicTraits);
}

}  // namespace quell::cc
