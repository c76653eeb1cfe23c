// Which packets does CoDel drop or mark? (RFC 8289)
#pragma once

#include <deque>

#include "quell/path/queue.h"

namespace quell::path {

// Drops at the head once every packet has waited longer than the target for a whole interval, then ever more
// often (interval / √count) until one has not.
class Codel final : public Queue {
 public:
  explicit Codel(const CodelConfig& config) : config_(config) {}

  void enqueue(Packet packet, TimePoint now) override;
  std::optional<Packet> dequeue(std::vector<Packet>& dropped, TimePoint now) override;
  ByteCount bytes() const override { return bytes_; }

 private:
  struct Head {
    std::optional<Packet> packet;
    bool ok_to_drop = false;
  };
  Head take(TimePoint now);
  // Marks it, or drops it and takes the next.
  void signal(Head& head, std::vector<Packet>& dropped, TimePoint now);
  TimePoint control_law(TimePoint t) const;

  CodelConfig config_;
  std::deque<Packet> packets_;
  ByteCount bytes_ = 0;
  std::optional<TimePoint> first_above_;  // when the delay will have been too long for an interval
  TimePoint drop_next_{};
  std::uint32_t count_ = 0;       // drops of this dropping state
  std::uint32_t last_count_ = 0;  // `count_` when the dropping state began
  bool dropping_ = false;
};

}  // namespace quell::path
