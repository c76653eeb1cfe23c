#include "quell/recovery/loss_detection.h"

#include <algorithm>

namespace quell {

namespace {

// Packets below this number are beyond the packet threshold. It counts packets: a skipped number is none.
PacketNumber lost_below(const SentPackets& packets, PacketNumber largest_acked) {
  PacketNumber number = largest_acked;
  for (PacketNumber later = 1; later < kPacketThreshold && number > 0;) {
    if (!packets.is_skipped(--number)) ++later;
  }
  return number;
}

}  // namespace

Duration loss_delay(const RttEstimator& rtt) {
  const Duration longest = std::max(rtt.smoothed(), rtt.latest());
  return std::max(longest + longest / 8, kGranularity);
}

std::optional<TimePoint> find_lost(const SentPackets& packets, PacketNumber largest_acked, Duration delay,
                                   std::vector<LostNumber>& lost, TimePoint now) {
  // Numbers and send times ascend together, so the first packet that is not lost yet decides the timer. At
  // most two packets in a row are looked at in vain: all others below largest_acked are beyond the packet
  // threshold.
  const PacketNumber threshold = lost_below(packets, largest_acked);
  std::optional<TimePoint> loss_time;
  for (const Range& range : packets.outstanding().ranges()) {
    for (PacketNumber n = range.first; n < range.end; ++n) {
      if (n >= largest_acked) return loss_time;
      const SentPacket& packet = packets[n];
      if (n < threshold) {
        lost.push_back({n, trace::LossTrigger::reordering_threshold});
      } else if (packet.sent_at + delay <= now) {
        lost.push_back({n, trace::LossTrigger::time_threshold});
      } else if (packet.is_in_flight && !loss_time) {
        loss_time = packet.sent_at + delay;
      }
    }
  }
  return loss_time;
}

}  // namespace quell
