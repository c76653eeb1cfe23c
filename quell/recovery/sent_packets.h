// What have we sent in a space, and what became of it? The ledger (RFC 9002 Appendix A.1).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "quell/base/range_set.h"
#include "quell/base/ring.h"
#include "quell/base/time.h"
#include "quell/base/units.h"
#include "quell/recovery/sent_frame.h"
#include "quell/wire/frame.h"
#include "quell/wire/types.h"

namespace quell {

struct SentPacket {
  // `forgotten`: it left the ledger's care without an answer, e.g. an unacknowledged ACK-only packet.
  // `skipped`: no packet, only a number that was left out.
  enum class State : std::uint8_t { outstanding, acked, lost, forgotten, skipped };

  TimePoint sent_at;
  TimePoint lost_at;          // only while `lost`
  std::uint64_t ordinal = 0;  // order of sending across all spaces
  std::uint64_t first_frame = 0;
  // For delivery-rate samples (draft-ietf-ccwg-bbr §4.1.2.2) and for LostPacket.
  ByteCount delivered_at_send = 0;
  ByteCount lost_at_send = 0;
  ByteCount in_flight_at_send = 0;  // this packet included
  TimePoint delivered_time;         // of the last delivery before it was sent
  TimePoint first_sent_time;        // start of the send interval that its sample spans

  std::uint32_t size = 0;
  std::uint32_t frame_count = 0;
  std::uint64_t episode = 0;  // recovery episode to which its loss belongs
  State state = State::outstanding;
  Ecn ecn = Ecn::not_ect;
  bool is_in_flight : 1 = false;
  bool is_ack_eliciting : 1 = false;
  bool is_mtu_probe : 1 = false;
  bool is_window_limited : 1 = false;
  bool is_app_limited : 1 = false;
};

// Choice: an ACK-only packet is remembered until 1,024 packets have followed it. A peer that never
// acknowledges them costs us no more memory than that, unless a packet in flight stands before them (see
// kMaxAcksUnheard).
inline constexpr std::size_t kMaxAckOnlyTracked = 1024;

// Two rings, of packets and of frame notes: no allocation per packet in steady state. Invariant: outstanding_
// and lost_ hold exactly the numbers whose state says so, and every number below the ring's first is settled
// for ever.
class SentPackets {
 public:
  PacketNumber next_number() const { return packets_.end(); }
  PacketNumber first_number() const { return packets_.first(); }
  bool contains(PacketNumber number) const { return packets_.contains(number); }
  SentPacket& operator[](PacketNumber number) { return packets_[number]; }
  const SentPacket& operator[](PacketNumber number) const { return packets_[number]; }
  const RangeSet& outstanding() const { return outstanding_; }

  // The slot of the next number, outstanding, with its frames noted; the caller fills in the rest.
  SentPacket& add(std::span<const SentFrame> frames);
  // Leaves the next number out; a packet must have come before it.
  void skip();
  bool is_skipped(PacketNumber number) const {
    return contains(number) && packets_[number].state == SentPacket::State::skipped;
  }
  // Takes out what `ack` acknowledges, as ranges in descending order: `newly` of outstanding packets, `late`
  // of those declared lost. Linear in the ranges of the frame, never a step per old packet. Marks them acked.
  void take_acked(const AckFrame& ack, std::vector<Range>& newly, std::vector<Range>& late);
  void mark_lost(PacketNumber number, TimePoint now);
  // Out of care without a trace; must be outstanding.
  void forget(PacketNumber number);
  // Appends the notes of a packet that the ledger still holds.
  void append_frames(const SentPacket& packet, std::vector<SentFrame>& out) const;
  // Drops settled packets from the front; lost ones once they were lost before `lost_before`.
  void trim(TimePoint lost_before);
  // Drops everything; numbering goes on.
  void clear();
  // The newest ordinal among acknowledged packets that were trimmed; zero: none. Ordinals start at one.
  std::uint64_t newest_trimmed_ack() const { return newest_trimmed_ack_; }

 private:
  bool trim_front(TimePoint lost_before);
  void mark_acked(const Range& range);

  Ring<SentPacket> packets_;
  Ring<SentFrame> frames_;
  RangeSet outstanding_;
  RangeSet lost_;
  std::uint64_t newest_trimmed_ack_ = 0;
};

}  // namespace quell
