#include "quell/lab/stream_ends.h"

#include <algorithm>
#include <utility>

namespace quell::lab {

bool StreamSender::write(Endpoint& endpoint, const StreamPlace& place, TimePoint now) {
  last_write_ = now;
  while (body_.is_ready(now)) {
    const std::size_t room = endpoint.write_room(place.connection, place.stream);
    if (room == 0) return true;
    Slice slice = body_.take(room, now);
    if (!endpoint.write(place.connection, place.stream, std::move(slice), body_.is_finished())) return false;
  }
  return true;
}

bool StreamReceiver::read(Endpoint& endpoint, const StreamPlace& place, TimePoint now) {
  if (has_ended_) return false;
  is_out_of_budget_ = false;
  while (!has_ended_) {
    const auto readable = endpoint.read(place.connection, place.stream);
    if (!readable) return false;
    const std::size_t size = std::min(readable->bytes.size(), budget_.available(now));
    const bool is_end = readable->fin && size == readable->bytes.size();
    is_out_of_budget_ = size < readable->bytes.size();
    if (size > 0 || is_end) endpoint.consume(place.connection, place.stream, size);
    received_ += size;
    budget_.on_read(size);
    has_ended_ = is_end;
    if (size == 0) break;
  }
  return has_ended_;
}

std::optional<TimePoint> StreamReceiver::next_wake() const {
  if (!is_out_of_budget_) return std::nullopt;
  return budget_.available_at();
}

}  // namespace quell::lab
