// When is too much lost for what was in flight? (draft §5.5.10.2)
#pragma once

#include <algorithm>

namespace quell::cc::bbr3 {

// BBR.LossThresh: the most that a round may lose while bandwidth is probed.
inline constexpr double kLossThreshold = 0.02;
// BBR.Beta: the most that one round of losses takes away.
inline constexpr double kBeta = 0.7;

// `lost`: since the packet was sent that had made it `tx_in_flight` bytes in flight.
constexpr bool is_inflight_too_high(double lost, double tx_in_flight) {
  return lost > tx_in_flight * kLossThreshold;
}

// At what volume in flight did the losses cross the threshold? At some part of the lost packet (whose size is
// counted in both), which may be a burst. Choice: the part is none when they had crossed it before; the
// draft's formula would turn negative there and say less than what was safely in flight.
constexpr double inflight_at_loss(double size, double tx_in_flight, double lost) {
  const double before = std::max(tx_in_flight - size, 0.0);
  const double lost_before = lost - size;
  const double part = (kLossThreshold * before - lost_before) / (1 - kLossThreshold);
  return before + std::clamp(part, 0.0, size);
}

}  // namespace quell::cc::bbr3
