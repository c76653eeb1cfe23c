// When has a packet left a link whose queue is a plain FIFO of limited length?
#pragma once

#include <optional>

#include "quell/path/config.h"
#include "quell/path/rate_schedule.h"

namespace quell::path {

// The backlog needs no list of packets: a FIFO decides everything on entry, so it is the time for which the
// transmitter is booked, times the rate.
class DropTail {
 public:
  DropTail(ByteCount queue_bytes, RateSchedule rates) : queue_bytes_(queue_bytes), rates_(std::move(rates)) {}

  struct Carried {
    TimePoint begins;  // its transmission
    TimePoint leaves;  // transmission done
  };
  // Nothing when the queue has no room. `now` must not run backwards.
  std::optional<Carried> carry(ByteCount size, TimePoint now);
  // Bytes that are queued or in transmission.
  ByteCount backlog(TimePoint now) const;

 private:
  ByteCount queue_bytes_;
  RateSchedule rates_;
  TimePoint booked_until_{};
};

}  // namespace quell::path
