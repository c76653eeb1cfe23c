// When does a packet come out of a wire with a rate, a queue and a length?
#pragma once

#include <optional>

#include "quell/base/rng.h"
#include "quell/path/config.h"

namespace quell::path {

// A drop-tail queue in front of a transmitter. The backlog needs no list of packets: it is the time for which
// the transmitter is booked, times the rate.
class Link {
 public:
  Link(const LinkConfig& config, Rng rng);

  // When a packet that enters now comes out; nothing when the queue has no room. `now` must not run
  // backwards.
  std::optional<TimePoint> carry(ByteCount size, TimePoint now);
  // Bytes that are queued or in transmission.
  ByteCount backlog(TimePoint now) const;

 private:
  LinkConfig config_;
  Rng rng_;
  TimePoint booked_until_{};
  TimePoint last_out_{};
};

}  // namespace quell::path
