// How soon must a connection be back at the capacity of a path that has become clean, by its controller's own
// growth law?
//
// The law of liveness: from any state whatever, once the trouble is over and with data waiting, 80 % of the
// capacity is reached within `allowed` of the first ACK of a packet sent after the trouble. All that follows
// is derived from the worst state that there is, the floor, so that no state excuses a stall.
//
// With P the packet size, C the capacity, α the growth per round trip:
//   round    what a round trip takes when no queue stands: both delays, both jitters, what both hosts are
//            late, and two packets' time on the wire, since ACKs come for every second one.
//   slow     `round` and a delayed ACK: at the floor an odd packet waits for one (RFC 9000 §13.2.1).
//   window   0.8 × C × round, and four packets that wait for their ACK or for the pacer.
//   settle   three slow rounds: by an eighth of one every older loss has been declared (RFC 9002 §6.1.2); the
//            packets after the last cut are acknowledged in the next, which ends recovery; those after that
//            grow the window (RFC 9002 §7.8).
//   climb    Reno adds a packet per round trip (RFC 9002 §7.3.3). CUBIC adds at least α = 3(1−β)/(1+β)
//            (RFC 9438 §4.3), or follows its curve: whatever W_max is, the curve rises by D packets within
//            2 ∛(D / 2C), for that is the longest way, half of it on each side of the plateau; and the window
//            follows the curve by half of itself per round (§4.2). The sooner of both counts. Slow start and
//            its conservative form (RFC 9406 §4.2) are faster than either.
//            BBR: see the .cc file.
//   span     four rounds, over which 80 % must be seen.
// The pacer's rate is 1.25 windows per smoothed RTT; a smoothed RTT that the trouble has left too long by S
// forgets it by an eighth per sample, of which there is one for two packets: 6.4 S at most (`pace_debt`).
#pragma once

#include <expected>
#include <optional>
#include <string>

#include "quell/base/time.h"
#include "quell/base/units.h"
#include "quell/cc/controller.h"
#include "quell/lab/scenario.h"

namespace quell::lab {

// The least growth that a kind of controller owes.
enum class GrowthLaw : std::uint8_t { reno, cubic, bbr };
// By its traits: whoever does not follow a model nor is called Reno may be as slow as CUBIC. Nothing: it
// never grows ("fixed-…").
std::optional<GrowthLaw> growth_law_of(const cc::Traits& traits);

inline constexpr double kLivelyShare = 0.8;

struct LivenessTerms {
  Rate capacity;
  Duration round{0};
  Duration slow_round{0};
  double window_packets = 0;  // that brings 80 % of the capacity
  Duration settle{0};
  Duration climb{0};
  Duration span{0};
  ByteCount packet = 0;
  bool is_paced_by_rtt = true;  // the controller leaves the pacing rate to the transport

  // From the first ACK to the end of the first span that shows 80 %; `smoothed_rtt` at that ACK.
  Duration allowed(Duration smoothed_rtt) const;
  // Bytes that must be acknowledged within a span.
  ByteCount due() const;
};

// The longest that CUBIC's curve takes to rise by this many packets, whatever its W_max (RFC 9438 §4.2).
Duration longest_cubic_rise(double packets);

// The shortest queue behind which liveness is promised: two bursts of the sender, and what the delays on the
// way gather into one. The path must have a rate.
ByteCount least_queue(const Variant& variant);

// Errors: why this path, or this load, promises nothing: no end to its capacity, trouble that never ends, a
// queue that is too short for a burst.
std::expected<LivenessTerms, std::string> derive_liveness(const Variant& variant,
                                                          std::optional<GrowthLaw> law);

}  // namespace quell::lab
