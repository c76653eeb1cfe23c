#include "quell/recovery/prr.h"

#include <algorithm>
#include <cmath>

namespace quell {
namespace {

ByteCount above(ByteCount a, ByteCount b) {
  return a > b ? a - b : 0;
}

}  // namespace

void Prr::begin(ByteCount recover_flight) {
  *this = Prr{};
  is_active_ = true;
  recover_flight_ = recover_flight;
}

// RFC 9937 §6.2.
void Prr::on_ack(const Ack& ack) {
  if (!is_active_ || ack.delivered == 0) return;
  delivered_ += ack.delivered;
  if (ack.in_flight > ack.target) {
    allowance_ = above(proportional(ack.target, ack.packet), sent_);
    return;
  }
  // The conservative reduction bound: what arrives is replaced, and what arrived before and was not. With
  // progress the slow-start reduction bound: a packet more.
  const ByteCount bound =
      std::max(above(delivered_, sent_), ack.delivered) + (ack.is_safe ? ack.packet : ByteCount{0});
  allowance_ = std::min(bound, ack.target - ack.in_flight);
}

// ⌈delivered × target ÷ RecoverFS⌉, in whole packets as RFC 9937 counts it. Choice: RecoverFS counts as
// `target` at least; a probe can bring a small flight above a target that it was below when the episode
// began, and that is no reason to send more than arrives.
ByteCount Prr::proportional(ByteCount target, ByteCount packet) const {
  const auto flight = static_cast<double>(std::max(recover_flight_, target));
  const double bytes = static_cast<double>(delivered_) * static_cast<double>(target) / flight;
  return static_cast<ByteCount>(std::ceil(bytes / static_cast<double>(packet))) * packet;
}

void Prr::on_sent(ByteCount bytes) {
  sent_ += bytes;
  allowance_ = above(allowance_, bytes);
}

ByteCount Prr::budget(ByteCount in_flight, ByteCount packet) const {
  // RFC 9937 §6.2, RFC 9002 §7.3.2: an episode begins with one packet, whatever the flight. Choice: a whole
  // one, where RFC 9937 may count a part of one.
  const bool is_first = sent_ == 0;
  // Choice: less than a packet in flight calls for a packet. Nothing else might: a flight that the loss timer
  // emptied draws no ACK, and no PTO.
  const bool is_drained = in_flight < packet;
  return is_first || is_drained ? std::max(allowance_, packet) : allowance_;
}

}  // namespace quell
