#include "quell/cc/hystart.h"

#include <algorithm>
#include <limits>

#include "quell/cc/slow_start.h"

namespace quell::cc {

// RFC 9406 §4.2: grow first, then judge.
double HyStart::on_ack(Window& window, const AckEvent& event) {
  const auto growable = static_cast<double>(event.growable_bytes);
  const bool is_first = window.ssthresh == std::numeric_limits<double>::infinity();
  if (!is_first) return grow_classically(window, growable);
  end_round_at(event);
  if (is_over()) return 0;
  const double divisor = phase_ == Phase::suspicious ? kCssGrowthDivisor : 1;
  const double burst = is_paced_ ? growable : std::min(growable, kUnpacedPackets * window.packet);
  window.grow_by(burst / divisor, window.max_flight * (1 + 1 / divisor));
  if (event.rtt.is_new) take_sample(event.rtt.latest);
  return 0;
}

void HyStart::end_round_at(const AckEvent& event) {
  if (event.packets.empty() || event.packets.back().number < window_end_) return;
  window_end_ = next_number_;
  last_round_min_rtt_ = current_round_min_rtt_;
  current_round_min_rtt_ = kNone;
  samples_ = 0;
  // The round that suspicion fell into counts, however little was left of it.
  if (phase_ == Phase::suspicious && ++css_rounds_ == kCssRounds) phase_ = Phase::over;
}

void HyStart::take_sample(Duration rtt) {
  current_round_min_rtt_ = std::min(current_round_min_rtt_, rtt);
  if (++samples_ < kRttSamples) return;
  if (phase_ == Phase::suspicious) {
    if (current_round_min_rtt_ < css_baseline_min_rtt_) phase_ = Phase::growing;
    return;
  }
  if (last_round_min_rtt_ == kNone) return;
  const Duration thresh =
      std::max(kMinRttThresh, std::min(last_round_min_rtt_ / kMinRttDivisor, kMaxRttThresh));
  if (current_round_min_rtt_ < last_round_min_rtt_ + thresh) return;
  phase_ = Phase::suspicious;
  css_baseline_min_rtt_ = current_round_min_rtt_;
  css_rounds_ = 0;
}

State HyStart::state() const {
  return phase_ == Phase::suspicious ? State::conservative_slow_start : State::slow_start;
}

void HyStart::restart() {
  phase_ = Phase::growing;
  window_end_ = next_number_;
  last_round_min_rtt_ = current_round_min_rtt_ = kNone;
  samples_ = 0;
}

}  // namespace quell::cc
