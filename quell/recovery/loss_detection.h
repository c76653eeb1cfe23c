// Which packets must be given up, now that a later one has arrived? (RFC 9002 §6.1) Pure: reads the ledger,
// changes nothing.
#pragma once

#include <optional>
#include <vector>

#include "quell/base/time.h"
#include "quell/base/units.h"
#include "quell/recovery/rtt.h"
#include "quell/recovery/sent_packets.h"
#include "quell/trace/event.h"

namespace quell {

// RFC 9002 §6.1.1.
inline constexpr PacketNumber kPacketThreshold = 3;

struct LostNumber {
  PacketNumber number = 0;
  trace::LossTrigger trigger = trace::LossTrigger::reordering_threshold;
};

// RFC 9002 §6.1.2: 9/8 of the larger of smoothed_rtt and latest_rtt, at least kGranularity.
Duration loss_delay(const RttEstimator& rtt);

// Appends the outstanding packets that are lost at `now`, ascending. Returns when the next one will be, if
// some packet in flight was sent before `largest_acked` and is not lost yet.
std::optional<TimePoint> find_lost(const SentPackets& packets, PacketNumber largest_acked, Duration delay,
                                   std::vector<LostNumber>& lost, TimePoint now);

}  // namespace quell
