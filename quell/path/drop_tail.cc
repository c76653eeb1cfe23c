#include "quell/path/drop_tail.h"

#include <algorithm>

namespace quell::path {

ByteCount DropTail::backlog(TimePoint now) const {
  if (rates_.is_unlimited() || booked_until_ <= now) return 0;
  return static_cast<ByteCount>(rates_.bytes_between(now, booked_until_));
}

std::optional<DropTail::Carried> DropTail::carry(ByteCount size, TimePoint now) {
  const TimePoint begins = std::max(booked_until_, now);
  // A packet that finds the transmitter free is never refused, whatever the queue's size.
  if (begins > now && backlog(now) + size > queue_bytes_) return std::nullopt;
  booked_until_ = rates_.finish(size, begins);
  return Carried{begins, booked_until_};
}

}  // namespace quell::path
