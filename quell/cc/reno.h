// How does QUIC's reference controller avoid congestion? One packet more per window acknowledged, half on
// congestion (RFC 9002 §7.3).
#pragma once

#include "quell/cc/controller.h"
#include "quell/cc/window.h"

namespace quell::cc {

class RenoAvoidance {
 public:
  static constexpr Traits kTraits{.name = "reno", .wants_prr = true};
  static constexpr double kBeta = 0.5;  // kLossReductionFactor

  void grow(Window& window, double growable, const AckEvent& event);

  // Reno has no memory beyond its window.
  void on_cut(const Window& /*before*/) {}
  void on_persistent_congestion() {}
  void on_slow_start_exit(const Window& /*window*/) {}
  void on_recovery_exit(const Window& /*window*/, Duration /*growth_clock*/) {}
  void on_mtu(const Window& /*window*/) {}
};

// With HyStart++; the other with classic slow start.
ControllerPtr make_reno(const Config& config);
ControllerPtr make_reno_classic(const Config& config);

}  // namespace quell::cc
