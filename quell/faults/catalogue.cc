#include "quell/faults/catalogue.h"

#include <algorithm>
#include <array>

#include "quell/faults/ack_delay_in_min_rtt.h"
#include "quell/faults/ack_only_counted_lost.h"
#include "quell/faults/double_remove_flight.h"
#include "quell/faults/no_floor.h"
#include "quell/faults/probe_as_congestion.h"
#include "quell/faults/pto_shift_overflow.h"
#include "quell/faults/pto_times_four.h"
#include "quell/faults/trusts_unsent_ack.h"

namespace quell::faults {
namespace {

const NoFloor kNoFloor;
const AckOnlyCountedLost kAckOnlyCountedLost;
const ProbeAsCongestion kProbeAsCongestion;
const PtoTimesFour kPtoTimesFour;
const PtoShiftOverflow kPtoShiftOverflow;
const DoubleRemoveFlight kDoubleRemoveFlight;
const AckDelayInMinRtt kAckDelayInMinRtt;
const TrustsUnsentAck kTrustsUnsentAck;

const std::array kFaults{
    Fault{"reno-no-floor", "a controller without a floor, in a transport without one",
          "below one packet nothing may leave, for ever", &kNoFloor},
    Fault{"ack-only-counted-lost", "the drafts until 2018", "the loss of an ACK cuts the window",
          &kAckOnlyCountedLost},
    Fault{"probe-as-congestion", "stacks that got PMTU discovery late", "a lost MTU probe cuts the window",
          &kProbeAsCongestion},
    Fault{"pto-times-four", "s2n-quic until 2021", "silent for three times as long as the outage",
          &kPtoTimesFour},
    Fault{"pto-shift-overflow", "neqo until 2024, quiche until 2026",
          "after weeks of silence the timeout is zero", &kPtoShiftOverflow},
    Fault{"double-remove-flight", "the drafts until 2019, quic-go 2018",
          "a late ACK takes a lost packet out of flight again", &kDoubleRemoveFlight},
    Fault{"ack-delay-in-min-rtt", "early gQUIC", "the peer's claim makes min_rtt too small",
          &kAckDelayInMinRtt},
    Fault{"trusts-unsent-ack", "TCP's optimistic ACK, carried over", "believes an ACK of the future",
          &kTrustsUnsentAck},
};

}  // namespace

std::span<const Fault> faults() {
  return kFaults;
}

const Fault* find(std::string_view name) {
  const auto fault = std::ranges::find(kFaults, name, &Fault::name);
  return fault == kFaults.end() ? nullptr : &*fault;
}

}  // namespace quell::faults
