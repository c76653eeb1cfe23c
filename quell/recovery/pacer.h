// When may the next packets leave, so that a window is spread over its round trip? (RFC 9002 §7.7)
#pragma once

#include "quell/base/time.h"
#include "quell/base/units.h"

namespace quell {

// A token bucket. What leaves at once is at most max(10 packets, 2 ms of rate): a slow path sees short
// bursts, a fast one fills the 44 segments of a batched send, and a timer that is up to 1 ms late costs no
// throughput.
class Pacer {
 public:
  explicit Pacer(ByteCount max_datagram_size);

  // `rate` must be positive; Rate::unlimited() turns pacing off.
  void set_rate(Rate rate, TimePoint now);
  Rate rate() const { return rate_; }
  // What may leave now, in whole packets. Once the bucket has run dry it gives nothing until a quantum is
  // there, so that a fast path does not wake for every packet; `window_left` bounds what is worth waiting
  // for.
  ByteCount available(ByteCount window_left, TimePoint now);
  // When more will be given after `bytes` of what is available now have left.
  TimePoint release_at(ByteCount bytes, ByteCount window_left) const;
  // A paced packet left. Probes may overdraw the bucket.
  void on_sent(ByteCount bytes);

  ByteCount burst() const { return burst_; }
  ByteCount quantum() const { return quantum_; }

 private:
  void refill(TimePoint now);
  double threshold(ByteCount window_left) const;

  ByteCount max_datagram_size_;
  Rate rate_ = Rate::unlimited();
  ByteCount burst_;
  ByteCount quantum_;
  double credit_;  // bytes; negative when overdrawn
  TimePoint refilled_at_{};
  bool is_dry_ = false;
};

}  // namespace quell
