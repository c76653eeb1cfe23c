#include "quell/connection/key_update.h"

#include <algorithm>
#include <utility>

namespace quell {

OneRttKeys::OneRttKeys(AeadKind kind, const Secret& receive_secret, Secret send_secret)
    : kind_(kind), receive_secret_(next_secret(kind, receive_secret)), send_secret_(std::move(send_secret)) {
  receive_.emplace(kind_, receive_secret);
  next_receive_.emplace(kind_, receive_secret_);
  send_.emplace(kind_, send_secret_);
}

void OneRttKeys::on_sent(PacketNumber number) {
  ++sealed_;
  if (!first_sent_) first_sent_ = number;
}

void OneRttKeys::advance(TimePoint now) {
  previous_receive_ = std::move(receive_);
  receive_ = std::move(next_receive_);
  receive_secret_ = next_secret(kind_, receive_secret_);
  next_receive_.emplace(kind_, receive_secret_);
  send_secret_ = next_secret(kind_, send_secret_);
  send_.emplace(kind_, send_secret_);
  ++generation_;
  sealed_ = 0;
  first_sent_.reset();
  lowest_received_.reset();
  received_at_.reset();
  updated_at_ = now;
}

bool OneRttKeys::may_update(std::optional<PacketNumber> largest_acked, TimePoint now, Duration pto) const {
  const bool confirmed = first_sent_ && largest_acked && *largest_acked >= *first_sent_;
  const bool rested = !updated_at_ || now >= *updated_at_ + 3 * pto;
  return confirmed && rested;
}

void OneRttKeys::update(TimePoint now) {
  advance(now);
}

void OneRttKeys::forget_previous(TimePoint now, Duration pto) {
  // Not before the peer has used the new key: until then its old packets are all that there is.
  if (previous_receive_ && received_at_ && now >= *received_at_ + 3 * pto) previous_receive_.reset();
}

void OneRttKeys::note_received(PacketNumber number, TimePoint now) {
  if (!lowest_received_) received_at_ = now;
  lowest_received_ = std::min(lowest_received_.value_or(number), number);
}

Result<OneRttKeys::Opened> OneRttKeys::open(PacketNumber number, bool phase, MutableBytes packet,
                                            std::size_t header_size, TimePoint now) {
  const bool is_current = phase == this->phase();
  // A packet of the other phase is late if it is older than this phase's first one, and else the peer's
  // update (§6.3).
  const bool is_previous =
      !is_current && previous_receive_ && (!lowest_received_ || number < *lowest_received_);
  PacketKey& key = is_current ? *receive_ : is_previous ? *previous_receive_ : *next_receive_;
  if (!key.open(number, packet, header_size)) {
    ++failed_;
    if (failed_ > integrity_limit()) {
      return fail(TransportError::aead_limit_reached, "too many forged packets");
    }
    return Opened{};
  }
  if (is_previous) return Opened{.authentic = true};
  if (is_current) {
    note_received(number, now);
    return Opened{.authentic = true};
  }
  advance(now);
  note_received(number, now);
  return Opened{.authentic = true, .did_update = true};
}

}  // namespace quell
