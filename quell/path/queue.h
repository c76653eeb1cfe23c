// Which of the waiting packets leaves next, and which never does? What queues have in common that decide when
// a packet leaves.
#pragma once

#include <optional>
#include <vector>

#include "quell/path/packet.h"

namespace quell::path {

class Queue {
 public:
  virtual ~Queue() = default;
  // The caller has made sure that there is room.
  virtual void enqueue(Packet packet, TimePoint now) = 0;
  // What is to be transmitted next, marked if need be; nothing when nothing is left. What the queue drops in
  // its stead goes to `dropped`.
  virtual std::optional<Packet> dequeue(std::vector<Packet>& dropped, TimePoint now) = 0;
  virtual ByteCount bytes() const = 0;
};

}  // namespace quell::path
