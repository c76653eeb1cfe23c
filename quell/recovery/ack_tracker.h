// What have we received in a space, and when must we say so? (RFC 9000 §13.2)
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "quell/base/range_set.h"
#include "quell/base/time.h"
#include "quell/base/units.h"
#include "quell/base/writer.h"
#include "quell/recovery/sent_frame.h"
#include "quell/wire/types.h"

namespace quell {

// Choice: 64 ranges are remembered and at most 32 are sent. A peer that makes more holes than that loses the
// oldest ones, which costs it a spurious retransmission and us nothing.
inline constexpr std::size_t kMaxAckRanges = 64;
inline constexpr std::size_t kMaxAckRangesSent = 32;

class AckTracker {
 public:
  // `max_ack_delay` zero: acknowledge at once (Initial, Handshake).
  AckTracker(Duration max_ack_delay, std::uint8_t ack_delay_exponent);

  // True if `number` was received before, or is too old to tell: drop it (RFC 9000 §12.3).
  bool is_duplicate(PacketNumber number) const;
  void on_received(PacketNumber number, bool is_ack_eliciting, Ecn ecn, TimePoint now);
  std::optional<PacketNumber> largest_received() const;

  // An ACK must go out now: every second ack-eliciting packet, reordering, a CE mark, or the delay has passed
  // (§13.2.1, §13.2.2).
  bool must_ack(TimePoint now) const;
  // Ack-eliciting packets are waiting for an ACK, which may ride along.
  bool wants_ack() const { return unacked_eliciting_ > 0; }
  bool has_received_any() const { return !received_.empty(); }
  // Needs has_received_any().
  TimePoint largest_received_at() const { return largest_received_at_; }
  // Ranges that an ACK would name: above one, packets are missing or the peer has not confirmed our ACKs.
  std::size_t range_count() const { return received_.range_count(); }
  std::optional<TimePoint> next_timeout() const;

  // Writes an ACK frame if one fits in `max_size`; returns the note for the ledger. Resets the timers.
  std::optional<SentFrame> write_frames(Writer& out, std::size_t max_size, TimePoint now);
  // An ACK that we sent was acknowledged: ranges up to `largest` need not be repeated (§13.2.4).
  void on_acked(const SentFrame& frame);

 private:
  bool is_out_of_order(PacketNumber number) const;
  void count_mark(Ecn ecn);

  Duration max_ack_delay_;
  std::uint8_t ack_delay_exponent_;
  RangeSet received_;
  PacketNumber forgotten_below_ = 0;  // numbers below count as duplicates
  std::optional<PacketNumber> largest_eliciting_;
  std::uint32_t unacked_eliciting_ = 0;
  bool ack_now_ = false;
  std::optional<TimePoint> ack_at_;
  TimePoint largest_received_at_{};
  EcnCounts ecn_;
};

}  // namespace quell
