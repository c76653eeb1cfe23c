#include "quell/cc/cubic.h"

#include <algorithm>
#include <cmath>

#include "quell/cc/hystart.h"
#include "quell/cc/loss_based.h"
#include "quell/cc/slow_start.h"

namespace quell::cc {
namespace {

constexpr Traits kClassicTraits = renamed(CubicAvoidance::kTraits, "cubic-classic");
// RFC 9438 §4.2: no target lies further above the window.
constexpr double kMostGrowth = 1.5;

// limit(maxFS) of the draft on rate-limited increase: what a round trip may earn by the curve, or by Reno.
double limit_of(const Window& window) {
  return std::max(kMostGrowth * window.max_flight, window.max_flight + window.packet);
}

}  // namespace

// RFC 9438 §4.2 to §4.5.
void CubicAvoidance::grow(Window& window, double growable, const AckEvent& event) {
  if (!epoch_) begin_stage(window, event.growth_clock);
  const Duration t = event.growth_clock - *epoch_;
  const double limit = limit_of(window);
  update_w_est(window, growable, limit);

  double next = window.bytes;
  if (w_cubic(window, t) < w_est_) {
    // Choice: W_est raises the window and never lowers it. The curve aims one RTT ahead, so where it flattens
    // the window may already stand a little above W_est.
    next = std::max(next, w_est_);
  } else {
    const double target =
        std::clamp(w_cubic(window, t + event.rtt.smoothed), window.bytes, kMostGrowth * window.bytes);
    // An ACK for more than a window must not carry the window past its target.
    next += (target - window.bytes) * std::min(growable / window.bytes, 1.0);
  }
  // Choice: no ACK earns more than it acknowledges, whichever region it meets.
  window.grow_by(std::min(next - window.bytes, growable), limit);
}

// RFC 9438 §4.3, equation 4. From cwnd_prior on, the slope is Reno's own. The limit is Reno's, too: what an
// estimate without one had gathered, the window would take at a stroke when its limit rises.
void CubicAvoidance::update_w_est(const Window& window, double growable, double limit) {
  const double alpha = w_est_ < cwnd_prior_ ? kAlpha : 1.0;
  const double next = w_est_ + alpha * window.packet * growable / window.bytes;
  const double most = std::min(std::max(limit, window.bytes), static_cast<double>(kMostWindow));
  w_est_ = std::max(w_est_, std::min(next, most));
}

// RFC 9438 §4.7: a window that did not reach its last limit makes room for whoever took the rest.
void CubicAvoidance::on_cut(const Window& before) {
  const bool is_shrinking = before.bytes < w_max_;
  w_max_ = is_shrinking ? before.bytes * (1 + kBeta) / 2 : before.bytes;
  cwnd_prior_ = before.bytes;
  has_w_max_ = true;
  epoch_.reset();
}

// RFC 9438 §4.8: slow start follows, and the stage after it starts on its own plateau. cwnd_prior stays: it
// belongs to the ssthresh that is still in force.
void CubicAvoidance::on_persistent_congestion() {
  has_w_max_ = false;
  epoch_.reset();
}

// RFC 9438 §4.10.
void CubicAvoidance::on_slow_start_exit(const Window& window) {
  cwnd_prior_ = window.bytes;
  has_w_max_ = false;
  epoch_.reset();
}

void CubicAvoidance::on_recovery_exit(const Window& window, Duration growth_clock) {
  // A stage is running when the episode was undone: its epoch was restored, and is not to be touched.
  if (!epoch_) begin_stage(window, growth_clock);
}

void CubicAvoidance::begin_stage(const Window& window, Duration growth_clock) {
  epoch_ = growth_clock;
  cwnd_epoch_ = window.bytes;
  w_est_ = window.bytes;
  if (!has_w_max_) w_max_ = window.bytes;
  plateau_ = std::max(w_max_, window.bytes);
  set_k(window);
}

// RFC 9438 §4.2, equation 2. At the floor of two packets, fast convergence may leave W_max below the window:
// the stage then starts on its plateau, with K = 0, as after slow start.
void CubicAvoidance::set_k(const Window& window) {
  k_ = std::cbrt((plateau_ - cwnd_epoch_) / window.packet / kC);
}

// C is in packets: another packet size is another curve through the same beginning and the same plateau.
void CubicAvoidance::on_mtu(const Window& window) {
  if (epoch_) set_k(window);
}

double CubicAvoidance::w_cubic(const Window& window, Duration t) const {
  const double from_plateau = to_seconds(t) - k_;
  return kC * from_plateau * from_plateau * from_plateau * window.packet + plateau_;
}

ControllerPtr make_cubic(const Config& config) {
  return std::make_unique<LossBased<HyStart, CubicAvoidance>>(config);
}

ControllerPtr make_cubic_classic(const Config& config) {
  return std::make_unique<LossBased<ClassicSlowStart, CubicAvoidance>>(config, kClassicTraits);
}

}  // namespace quell::cc
