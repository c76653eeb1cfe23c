// Was everything lost for so long that the path must be taken for gone? (RFC 9002 §7.6) Pure: reads the
// ledgers.
#pragma once

#include <array>
#include <cstdint>

#include "quell/base/time.h"
#include "quell/recovery/rtt.h"
#include "quell/recovery/sent_packets.h"
#include "quell/wire/types.h"

namespace quell {

// RFC 9002 §7.6.1: max_ack_delay counts whatever the space.
Duration persistent_congestion_duration(const RttEstimator& rtt, Duration max_ack_delay);

struct LostRun {
  Space space = Space::application;
  PacketNumber newest = 0;  // an ack-eliciting packet just declared lost, where the run ends
  // Packets up to this ordinal do not count: sent before the first RTT sample, or used by an earlier verdict.
  std::uint64_t after_ordinal = 0;
};
using Ledgers = std::array<const SentPackets*, kSpaceCount>;

// Goes back from `run.newest` through all spaces in order of sending, until an acknowledged packet. True if
// the run of lost packets spans more than `duration`. Costs the length of the run, which is short unless the
// path is gone.
bool is_persistent_congestion(const Ledgers& ledgers, const LostRun& run, Duration duration);

}  // namespace quell
