// What does a link carry whose queue decides only when a packet leaves?
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "quell/path/queue.h"
#include "quell/path/rate_schedule.h"

namespace quell::path {

// A queue and the transmitter that it feeds, one packet at a time.
class ManagedLink {
 public:
  ManagedLink(std::unique_ptr<Queue> queue, ByteCount queue_bytes, RateSchedule rates)
      : queue_(std::move(queue)), queue_bytes_(queue_bytes), rates_(std::move(rates)) {}

  // False: no room; the packet is left alone. Call `advance` afterwards.
  bool enqueue(Packet& packet, TimePoint now);
  // When the transmitter takes the next packet; nothing when none waits.
  std::optional<TimePoint> next_event() const;
  // Begins the transmission that is due, if one is: gives that packet with its `leaves_at`. What the queue
  // drops meanwhile goes to `dropped`.
  std::optional<Packet> advance(std::vector<Packet>& dropped, TimePoint now);
  // Bytes that are queued or in transmission.
  ByteCount backlog(TimePoint now) const;

 private:
  std::unique_ptr<Queue> queue_;
  ByteCount queue_bytes_;
  RateSchedule rates_;
  TimePoint busy_until_{};
};

}  // namespace quell::path
