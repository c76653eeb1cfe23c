#include "quell/path/managed_link.h"

#include <algorithm>
#include <utility>

namespace quell::path {

bool ManagedLink::enqueue(Packet& packet, TimePoint now) {
  // A packet that finds the transmitter free is never refused, whatever the queue's size.
  if (busy_until_ > now && backlog(now) + packet.bytes.size() > queue_bytes_) return false;
  queue_->enqueue(std::move(packet), now);
  return true;
}

std::optional<TimePoint> ManagedLink::next_event() const {
  if (queue_->bytes() == 0) return std::nullopt;
  return busy_until_;
}

std::optional<Packet> ManagedLink::advance(std::vector<Packet>& dropped, TimePoint now) {
  if (busy_until_ > now) return std::nullopt;
  auto packet = queue_->dequeue(dropped, now);
  if (!packet) return std::nullopt;
  packet->waited = now - packet->sent_at;
  packet->leaves_at = busy_until_ = rates_.finish(packet->bytes.size(), now);
  return packet;
}

ByteCount ManagedLink::backlog(TimePoint now) const {
  if (rates_.is_unlimited() || busy_until_ <= now) return queue_->bytes();
  return queue_->bytes() + static_cast<ByteCount>(rates_.bytes_between(now, busy_until_));
}

}  // namespace quell::path
