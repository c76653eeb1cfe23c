// What does one ACK, or one lost packet, tell BBRv3? The draft's RS, in plain numbers.
//
// Throughout bbr3_*: "draft" is draft-ietf-ccwg-bbr, volumes are bytes, rates bytes per second, both with
// their fractions; no bound is infinite.
#pragma once

#include <limits>

#include "quell/base/time.h"
#include "quell/base/units.h"

namespace quell::cc::bbr3 {

inline constexpr double kUnbounded = std::numeric_limits<double>::infinity();

// Draft §2.4.
struct Sample {
  double rate = 0;       // RS.delivery_rate; zero: no reliable sample
  double delivered = 0;  // RS.delivered
  double newly_acked = 0;
  double in_flight = 0;           // C.inflight, after this ACK
  double tx_in_flight = 0;        // when the newest acknowledged packet was sent, itself included
  double lost = 0;                // between that packet's sending and now
  Duration rtt{-1};               // negative: none
  ByteCount prior_delivered = 0;  // C.delivered when that packet was sent
  ByteCount total_delivered = 0;  // C.delivered
  bool is_app_limited = false;
};

}  // namespace quell::cc::bbr3
