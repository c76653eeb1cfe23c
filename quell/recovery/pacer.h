// When may the next packets leave, so that a window is spread over its round trip? (RFC 9002 §7.7)
#pragma once

#include <optional>

#include "quell/base/time.h"
#include "quell/base/units.h"

namespace quell {

// A token bucket. What leaves at once is at most max(10 packets, 2 ms of rate): a slow path sees short
// bursts, a fast one fills the 44 segments of a batched send.
//
// A bucket of 2 ms and the whole rate cannot both be had from a timer that is more than 2 ms late. Choice:
// the rate wins. Whoever waited for a time that the pacer named also finds what was earned since that time,
// up to 10 ms of it; so the burst is as long as the wake-up was late, and only then. A sender that had
// nothing to send finds a full bucket and no more.
class Pacer {
 public:
  explicit Pacer(ByteCount max_datagram_size);

  // `rate` must be positive; Rate::unlimited() turns pacing off. `most_at_once`: the controller's own limit
  // for a burst. It shortens the 2 ms of rate and never stretches them. Choice: 10 packets stay allowed. A
  // small window that leaves in parts has a longer round, and a controller that measures rates would see a
  // slower path: bbr3 needed 77 ms instead of 70 to climb from 2 to 5 packets at 10 ms.
  void set_rate(Rate rate, std::optional<ByteCount> most_at_once, TimePoint now);
  Rate rate() const { return rate_; }
  // What may leave now, in whole packets. Once the bucket has run dry it gives nothing until a quantum is
  // there, so that a fast path does not wake for every packet; `window_left` bounds what is worth waiting
  // for.
  ByteCount available(ByteCount window_left, TimePoint now);
  // When more will be given after `bytes` of what is available now have left.
  TimePoint release_at(ByteCount bytes, ByteCount window_left) const;
  // A transmit pass is over. `until`: it ended because of the pacer, and that is when it will be tried again;
  // nothing: the pacer is not what it waits for.
  void wait(std::optional<TimePoint> until, TimePoint now);
  // A paced packet left. Probes may overdraw the bucket.
  void on_sent(ByteCount bytes);

  // What was earned is kept.
  void set_datagram_size(ByteCount size);

  ByteCount burst() const { return burst_; }
  ByteCount quantum() const { return quantum_; }

 private:
  void refill(TimePoint now);
  void set_bounds();
  double most_credit(TimePoint now) const;
  double threshold(ByteCount window_left) const;

  ByteCount max_datagram_size_;
  Rate rate_ = Rate::unlimited();
  std::optional<ByteCount> most_at_once_;
  ByteCount burst_;
  ByteCount quantum_;
  double credit_;  // bytes; negative when overdrawn
  TimePoint refilled_at_{};
  std::optional<TimePoint> waits_until_;
  bool is_dry_ = false;
};

}  // namespace quell
