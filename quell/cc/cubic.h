// How does CUBIC avoid congestion? Along a cubic curve of time that is flat at the last known limit, and
// never slower than Reno would (RFC 9438).
#pragma once

#include <optional>

#include "quell/cc/controller.h"
#include "quell/cc/window.h"

namespace quell::cc {

// All windows in bytes. Time is differences of the growth clock only: it holds no idle time, cannot run ahead
// of the wall clock and cannot lie in the future, so the curve needs no shifting after a pause (RFC 9438
// §4.2) and the historic faults of shifting (specimens/) have nothing to hold on to. W_est is driven by
// acknowledged bytes.
class CubicAvoidance {
 public:
  static constexpr Traits kTraits{.name = "cubic", .wants_prr = true};
  static constexpr double kBeta = 0.7;
  static constexpr double kC = 0.4;  // packets per second³
  // RFC 9438 §4.3: the slope that makes AIMD(α, β) as large on average as Reno's AIMD(1, 0.5).
  static constexpr double kAlpha = 3 * (1 - kBeta) / (1 + kBeta);

  // `before`: the window that is about to be cut.
  void on_cut(const Window& before);
  void on_persistent_congestion();
  void on_slow_start_exit(const Window& window);
  // The beginning of a congestion avoidance stage, and so zero on its clock.
  void on_recovery_exit(const Window& window, Duration growth_clock);
  void on_mtu(const Window& window);
  void grow(Window& window, double growable, const AckEvent& event);

  // Seconds from the stage's beginning to the plateau.
  double k() const { return k_; }
  // The curve, in bytes; `t` counts from the stage's beginning.
  double w_cubic(const Window& window, Duration t) const;

 private:
  void begin_stage(const Window& window, Duration growth_clock);
  void set_k(const Window& window);
  void update_w_est(const Window& window, double growable, double limit);

  // Growth clock at the stage's beginning; nothing: no stage has begun since the last cut or slow start.
  std::optional<Duration> epoch_;
  double w_max_ = 0;        // fast convergence compares the next cut with it
  double cwnd_prior_ = 0;   // the window when ssthresh was last set
  bool has_w_max_ = false;  // was this stage preceded by a cut, rather than by slow start?
  double plateau_ = 0;      // the stage's W_max: never below the window at its beginning
  double cwnd_epoch_ = 0;
  double k_ = 0;
  double w_est_ = 0;
};

// With HyStart++, as RFC 9438 §4.10 recommends; the other with classic slow start.
ControllerPtr make_cubic(const Config& config);
ControllerPtr make_cubic_classic(const Config& config);

}  // namespace quell::cc
