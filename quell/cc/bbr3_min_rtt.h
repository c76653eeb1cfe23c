// How long is the path without queues? The least round trip time of ten seconds; and is it time to look
// again? (draft §5.3.4.3, §5.5.7)
#pragma once

#include <optional>

#include "quell/cc/bbr3_sample.h"

namespace quell::cc::bbr3 {

// Two windows at once: a probe (ProbeRTT) is due when five seconds have brought no lower sample, and its
// result replaces the estimate at the latest after ten.
class MinRtt {
 public:
  static constexpr Duration kProbeInterval = seconds{5};  // BBR.ProbeRTTInterval
  static constexpr Duration kWindow = seconds{10};        // BBR.MinRTTFilterLen

  // `rtt` negative: no sample.
  void on_ack(Duration rtt, TimePoint now) {
    is_probe_due_ = recent_ && now > recent_->at + kProbeInterval;
    if (rtt >= Duration{0} && (!recent_ || rtt < recent_->rtt || is_probe_due_)) recent_ = {rtt, now};
    if (!recent_) return;
    const bool is_expired = least_ && now > least_->at + kWindow;
    if (!least_ || recent_->rtt < least_->rtt || is_expired) least_ = recent_;
  }
  // A probe has ended: the next is due five seconds from now.
  void schedule_probe(TimePoint now) {
    if (recent_) recent_->at = now;
  }

  // BBR.probe_rtt_expired, as of the last ACK.
  bool is_probe_due() const { return is_probe_due_; }
  // Nothing: no sample yet.
  std::optional<Duration> value() const { return least_ ? std::optional{least_->rtt} : std::nullopt; }

 private:
  struct Timed {
    Duration rtt{0};
    TimePoint at;
  };
  std::optional<Timed> recent_;  // BBR.probe_rtt_min_delay
  std::optional<Timed> least_;   // BBR.min_rtt
  bool is_probe_due_ = false;
};

}  // namespace quell::cc::bbr3
