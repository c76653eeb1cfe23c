// How far do the losses of this probing cycle hold the flow back? Down to what the path last delivered, by no
// more than β in each round (draft §5.5.10.3). Forgotten when the next probe begins.
#pragma once

#include <algorithm>

#include "quell/cc/bbr3_delivery_signals.h"
#include "quell/cc/bbr3_loss_rate.h"

namespace quell::cc::bbr3 {

struct ShortTerm {
  double bandwidth = kUnbounded;  // BBR.bw_shortterm
  double inflight = kUnbounded;   // BBR.inflight_shortterm

  // A round with losses has ended. `max_bandwidth` and `cwnd`: where the first one of the cycle starts from.
  void on_lossy_round(const DeliverySignals& latest, double max_bandwidth, double cwnd) {
    if (bandwidth == kUnbounded) bandwidth = max_bandwidth;
    if (inflight == kUnbounded) inflight = cwnd;
    bandwidth = std::max(latest.bandwidth(), kBeta * bandwidth);
    inflight = std::max(latest.inflight(), kBeta * inflight);
  }

  // The losses were spurious.
  void restore(const ShortTerm& saved) {
    bandwidth = std::max(bandwidth, saved.bandwidth);
    inflight = std::max(inflight, saved.inflight);
  }
};

}  // namespace quell::cc::bbr3
