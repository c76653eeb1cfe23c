#include "quell/recovery/sent_packets.h"

#include <algorithm>

#include "quell/base/check.h"

namespace quell {
namespace {

// Finds what a set has in common with intervals that come highest first. Both are walked once, side by side:
// the old ranges that a receiver repeats in every ACK cost a step each, not a search.
class DescendingWalk {
 public:
  explicit DescendingWalk(const RangeSet& set) : ranges_(set.ranges()), left_(ranges_.size()) {}

  bool is_done() const { return left_ == 0; }
  // Appends the common parts of [first, end), highest first.
  void append_common(std::uint64_t first, std::uint64_t end, std::vector<Range>& out) {
    while (left_ > 0 && ranges_[left_ - 1].first >= end) --left_;
    while (left_ > 0 && ranges_[left_ - 1].end > first) {
      const Range& range = ranges_[left_ - 1];
      out.push_back({std::max(range.first, first), std::min(range.end, end)});
      if (range.first < first) return;  // the rest of it may belong to the next interval
      --left_;
    }
  }

 private:
  const std::vector<Range>& ranges_;
  std::size_t left_;  // ranges that are not wholly above what was asked for
};

}  // namespace

SentPacket& SentPackets::add(std::span<const SentFrame> frames) {
  const std::uint64_t first_frame = frames_.end();
  for (const SentFrame& frame : frames) frames_.push_back() = frame;
  const PacketNumber number = packets_.end();
  SentPacket& packet = packets_.push_back();
  packet = SentPacket{};
  packet.first_frame = first_frame;
  packet.frame_count = static_cast<std::uint32_t>(frames.size());
  outstanding_.add(number, number + 1);
  return packet;
}

void SentPackets::skip() {
  QUELL_CHECK(!packets_.empty());
  const std::uint64_t ordinal = packets_[packets_.end() - 1].ordinal;
  SentPacket& packet = packets_.push_back();
  packet = SentPacket{};
  packet.ordinal = ordinal;  // so that ordinals ascend with numbers, as all who walk the ledger expect
  packet.state = SentPacket::State::skipped;
}

void SentPackets::take_acked(const AckFrame& ack, std::vector<Range>& newly, std::vector<Range>& late) {
  const std::size_t old_newly = newly.size();
  const std::size_t old_late = late.size();
  DescendingWalk outstanding{outstanding_};
  DescendingWalk lost{lost_};
  AckRanges intervals{ack};
  while (!outstanding.is_done() || !lost.is_done()) {
    const auto interval = intervals.next();
    if (!interval) break;
    outstanding.append_common(interval->smallest, interval->largest + 1, newly);
    lost.append_common(interval->smallest, interval->largest + 1, late);
  }
  for (std::size_t i = old_newly; i < newly.size(); ++i) {
    outstanding_.remove(newly[i].first, newly[i].end);
    mark_acked(newly[i]);
  }
  for (std::size_t i = old_late; i < late.size(); ++i) {
    lost_.remove(late[i].first, late[i].end);
    mark_acked(late[i]);
  }
}

void SentPackets::mark_acked(const Range& range) {
  for (PacketNumber n = range.first; n < range.end; ++n) packets_[n].state = SentPacket::State::acked;
}

void SentPackets::mark_lost(PacketNumber number, TimePoint now) {
  QUELL_CHECK(outstanding_.remove(number, number + 1) == 1);
  lost_.add(number, number + 1);
  packets_[number].state = SentPacket::State::lost;
  packets_[number].lost_at = now;
}

void SentPackets::forget(PacketNumber number) {
  QUELL_CHECK(outstanding_.remove(number, number + 1) == 1);
  packets_[number].state = SentPacket::State::forgotten;
}

void SentPackets::append_frames(const SentPacket& packet, std::vector<SentFrame>& out) const {
  for (std::uint32_t i = 0; i < packet.frame_count; ++i) out.push_back(frames_[packet.first_frame + i]);
}

void SentPackets::trim(TimePoint lost_before) {
  while (!packets_.empty() && trim_front(lost_before)) {
  }
}

bool SentPackets::trim_front(TimePoint lost_before) {
  const PacketNumber number = packets_.first();
  const SentPacket& packet = packets_[number];
  switch (packet.state) {
    case SentPacket::State::outstanding:
      if (packet.is_in_flight || packets_.size() <= kMaxAckOnlyTracked) return false;
      outstanding_.remove(number, number + 1);
      break;
    case SentPacket::State::lost:
      if (packet.lost_at >= lost_before) return false;
      lost_.remove(number, number + 1);
      break;
    case SentPacket::State::acked:
      newest_trimmed_ack_ = packet.ordinal;
      break;
    case SentPacket::State::forgotten:
    case SentPacket::State::skipped:
      break;
  }
  for (std::uint32_t i = 0; i < packet.frame_count; ++i) frames_.pop_front();
  packets_.pop_front();
  return true;
}

void SentPackets::clear() {
  packets_.restart_at(packets_.end());
  frames_.restart_at(frames_.end());
  outstanding_.clear();
  lost_.clear();
}

}  // namespace quell
