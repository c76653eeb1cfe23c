#include "quell/recovery/persistent_congestion.h"

#include <algorithm>

namespace quell {
namespace {

constexpr int kPersistentCongestionThreshold = 3;

// Walks the packets of all spaces backwards in order of sending.
class BackwardWalk {
 public:
  // From `number` of `space` on. What was sent there after it is never looked at: that may be a whole window,
  // and every batch of losses asks.
  BackwardWalk(const Ledgers& ledgers, Space space, PacketNumber number) : ledgers_(ledgers) {
    const std::uint64_t from_ordinal = (*ledgers[index(space)])[number].ordinal;
    for (std::size_t i = 0; i < kSpaceCount; ++i) {
      end_[i] = i == index(space) ? number + 1 : ledgers[i]->next_number();
      while (const SentPacket* packet = candidate(i)) {
        if (packet->ordinal <= from_ordinal) break;
        --end_[i];
      }
    }
  }

  // Null when the ledgers hold nothing older.
  const SentPacket* next() {
    const SentPacket* newest = nullptr;
    std::size_t from = 0;
    for (std::size_t i = 0; i < kSpaceCount; ++i) {
      const SentPacket* packet = candidate(i);
      if (packet == nullptr || (newest != nullptr && packet->ordinal < newest->ordinal)) continue;
      newest = packet;
      from = i;
    }
    if (newest != nullptr) --end_[from];
    return newest;
  }

 private:
  const SentPacket* candidate(std::size_t i) const {
    return end_[i] > ledgers_[i]->first_number() ? &(*ledgers_[i])[end_[i] - 1] : nullptr;
  }

  const Ledgers& ledgers_;
  std::array<PacketNumber, kSpaceCount> end_{};  // one past the next candidate of each space
};

bool counts(const SentPacket& packet) {
  return packet.state == SentPacket::State::lost && packet.is_ack_eliciting && !packet.is_mtu_probe;
}

}  // namespace

Duration persistent_congestion_duration(const RttEstimator& rtt, Duration max_ack_delay) {
  return kPersistentCongestionThreshold * (rtt.pto_base() + max_ack_delay);
}

bool is_persistent_congestion(const Ledgers& ledgers, const LostRun& run, Duration duration) {
  const SentPacket& newest = (*ledgers[index(run.space)])[run.newest];
  std::uint64_t stop_at = run.after_ordinal;
  for (const SentPackets* ledger : ledgers) stop_at = std::max(stop_at, ledger->newest_trimmed_ack());
  BackwardWalk walk{ledgers, run.space, run.newest};
  while (const SentPacket* packet = walk.next()) {
    if (packet->ordinal <= stop_at || packet->state == SentPacket::State::acked) return false;
    if (counts(*packet) && newest.sent_at - packet->sent_at > duration) return true;
  }
  return false;
}

}  // namespace quell
