// Which packets does a coupled dual queue drop or mark, and which goes first? (RFC 9332 appendix A: DualPI2)
#pragma once

#include <array>
#include <deque>

#include "quell/path/queue.h"

namespace quell::path {

// A low-latency queue for ECT(1) and CE, a classic one for all else. A PI controller on the classic queue's
// delay gives p'; classic packets are signalled with p'² and low-latency ones with at least k·p'.
class DualPi2 final : public Queue {
 public:
  DualPi2(const DualPi2Config& config, TimePoint start);

  void enqueue(Packet packet, TimePoint now) override;
  std::optional<Packet> dequeue(std::vector<Packet>& dropped, TimePoint now) override;
  ByteCount bytes() const override { return low_.bytes + classic_.bytes; }

  double base_probability() const { return base_; }  // p'

 private:
  struct Fifo {
    std::deque<Packet> packets;
    ByteCount bytes = 0;
    double owed = 0;  // signals: the sum of likelihoods since the last one

    Duration delay(TimePoint now) const;
    Packet take();
    // Spreads signals evenly: true each time the likelihoods have added up to one.
    bool recurs(double likelihood);
  };
  void update_until(TimePoint now);
  void update(TimePoint now);
  bool is_low_next();
  double native_probability(Duration delay) const;
  bool survives_low(Packet& packet, Duration delay, bool is_alone);
  bool survives_classic(Packet& packet);

  DualPi2Config config_;
  Duration period_;  // Tupdate
  double alpha_;     // Hz
  double beta_;      // Hz
  double base_ = 0;  // p'
  Duration previous_delay_{0};
  TimePoint next_update_;
  double credit_ = 0;  // of the classic queue, in bytes, while both hold packets
  Fifo low_;
  Fifo classic_;
};

}  // namespace quell::path
