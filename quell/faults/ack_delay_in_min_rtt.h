// What if the peer may say how short the path is? A fault, for the laboratory only.
//
// What: the claimed ACK delay is taken off before min_rtt sees the sample (RFC 9002 §5.2 forbids it).
//
// When: early gQUIC and several first versions; it looks like the same correction that smoothed_rtt gets.
//
// Symptom: a peer that overstates its delay makes min_rtt nearly zero, for ever: packets are taken for lost
// too early, and every controller that trusts min_rtt is misled.
//
// Caught by: ack-delay-claims.
#pragma once

#include "quell/faults/rules.h"

namespace quell::faults {

struct AckDelayInMinRtt final : Rules {
  Duration min_rtt_sample(Duration latest_rtt, Duration ack_delay) const override {
    return std::max(latest_rtt - ack_delay, Duration{1});
  }
};

}  // namespace quell::faults
