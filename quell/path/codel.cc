#include "quell/path/codel.h"

#include <cmath>
#include <utility>

namespace quell::path {
namespace {

// RFC 8289 §5.1: with less than a full packet queued, the delay is the link's, not the queue's.
constexpr ByteCount kMtu = 1500;
// RFC 8289 §5.4: a dropping state that follows the last one this soon goes on where that one had got to.
constexpr int kRecentIntervals = 16;

}  // namespace

void Codel::enqueue(Packet packet, TimePoint /*now*/) {
  bytes_ += packet.bytes.size();
  packets_.push_back(std::move(packet));
}

// RFC 8289 §5.3: takes the head and says whether the delay has been above the target for an interval.
Codel::Head Codel::take(TimePoint now) {
  Head head;
  if (packets_.empty()) {
    first_above_.reset();
    return head;
  }
  head.packet = std::move(packets_.front());
  packets_.pop_front();
  bytes_ -= head.packet->bytes.size();
  if (now - head.packet->sent_at < config_.target || bytes_ <= kMtu) {
    first_above_.reset();
  } else if (!first_above_) {
    first_above_ = now + config_.interval;
  } else {
    head.ok_to_drop = now >= *first_above_;
  }
  return head;
}

TimePoint Codel::control_law(TimePoint t) const {
  return t + from_seconds(to_seconds(config_.interval) / std::sqrt(static_cast<double>(count_)));
}

void Codel::signal(Head& head, std::vector<Packet>& dropped, TimePoint now) {
  if (config_.marks && head.packet->ecn != Ecn::not_ect) {
    head.packet->ecn = Ecn::ce;
    return;
  }
  dropped.push_back(std::move(*head.packet));
  head = take(now);
}

// RFC 8289 §5.4, §5.5.
std::optional<Packet> Codel::dequeue(std::vector<Packet>& dropped, TimePoint now) {
  Head head = take(now);
  if (dropping_ && !head.ok_to_drop) dropping_ = false;
  if (dropping_) {
    while (dropping_ && now >= drop_next_) {
      ++count_;
      const std::size_t before = dropped.size();
      signal(head, dropped, now);
      if (!head.ok_to_drop) {
        dropping_ = false;
      } else {
        drop_next_ = control_law(drop_next_);
      }
      if (dropped.size() == before) break;  // marked: one mark per packet
    }
  } else if (head.ok_to_drop) {
    signal(head, dropped, now);
    dropping_ = true;
    const std::uint32_t delta = count_ - last_count_;
    const bool is_recent = now - drop_next_ < config_.interval * kRecentIntervals;
    count_ = delta > 1 && is_recent ? delta : 1;
    drop_next_ = control_law(now);
    last_count_ = count_;
  }
  return std::move(head.packet);
}

}  // namespace quell::path
