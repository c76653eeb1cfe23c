#include "quell/recovery/ack_tracker.h"

#include <algorithm>
#include <chrono>

#include "quell/base/check.h"
#include "quell/wire/frame_writer.h"

namespace quell {
namespace {

// RFC 9000 §13.2.2.
constexpr std::uint32_t kElicitingBeforeAck = 2;

}  // namespace

AckTracker::AckTracker(Duration max_ack_delay, std::uint8_t ack_delay_exponent)
    : max_ack_delay_(max_ack_delay), ack_delay_exponent_(ack_delay_exponent) {}

bool AckTracker::is_duplicate(PacketNumber number) const {
  return number < forgotten_below_ || received_.contains(number);
}

std::optional<PacketNumber> AckTracker::largest_received() const {
  if (received_.empty()) return std::nullopt;
  return received_.highest();
}

void AckTracker::on_received(PacketNumber number, bool is_ack_eliciting, Ecn ecn, TimePoint now) {
  if (is_duplicate(number)) return;
  count_mark(ecn);
  if (received_.empty() || number > received_.highest()) largest_received_at_ = now;
  if (is_ack_eliciting) {
    if (max_ack_delay_ == Duration{0} || ecn == Ecn::ce || is_out_of_order(number)) ack_now_ = true;
    if (++unacked_eliciting_ >= kElicitingBeforeAck) ack_now_ = true;
    if (!ack_at_) ack_at_ = now + max_ack_delay_;
    largest_eliciting_ = std::max(largest_eliciting_.value_or(number), number);
  }
  received_.add(number, number + 1);
  if (received_.range_count() > kMaxAckRanges) {
    received_.keep_highest(kMaxAckRanges);
    forgotten_below_ = received_.lowest();
  }
}

// RFC 9000 §13.2.1: below another ack-eliciting packet, or above it with something missing between.
bool AckTracker::is_out_of_order(PacketNumber number) const {
  if (!largest_eliciting_) return number > 0 && !received_.contains(forgotten_below_, number);
  if (number < *largest_eliciting_) return true;
  return !received_.contains(*largest_eliciting_ + 1, number);
}

void AckTracker::count_mark(Ecn ecn) {
  switch (ecn) {
    case Ecn::ect0:
      ++ecn_.ect0;
      break;
    case Ecn::ect1:
      ++ecn_.ect1;
      break;
    case Ecn::ce:
      ++ecn_.ce;
      break;
    case Ecn::not_ect:
      break;
  }
}

bool AckTracker::must_ack(TimePoint now) const {
  return ack_now_ || (ack_at_ && now >= *ack_at_);
}

std::optional<TimePoint> AckTracker::next_timeout() const {
  return ack_at_;
}

std::optional<SentFrame> AckTracker::write_frames(Writer& out, std::size_t max_size, TimePoint now) {
  if (received_.empty()) return std::nullopt;
  const auto held =
      std::chrono::duration_cast<microseconds>(std::max(now - largest_received_at_, Duration{0}));
  const auto raw_delay = static_cast<std::uint64_t>(held.count()) >> ack_delay_exponent_;
  const bool has_marks = ecn_ != EcnCounts{};
  if (!write_ack(out, received_, raw_delay, has_marks ? &ecn_ : nullptr, max_size, kMaxAckRangesSent)) {
    return std::nullopt;
  }
  unacked_eliciting_ = 0;
  ack_now_ = false;
  ack_at_.reset();
  return SentFrame{.type = has_marks ? FrameType::ack_ecn : FrameType::ack, .offset = received_.highest()};
}

void AckTracker::on_acked(const SentFrame& frame) {
  // The largest itself stays: every ACK must name the largest number received (RFC 9000 §13.2.3).
  received_.remove_below(frame.offset);
  forgotten_below_ = std::max(forgotten_below_, frame.offset);
}

}  // namespace quell
