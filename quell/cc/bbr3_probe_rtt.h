// When has ProbeRTT kept little in flight for long enough? For 200 ms and a round trip (draft §5.3.4.3).
#pragma once

#include <algorithm>
#include <optional>

#include "quell/cc/bbr3_round.h"
#include "quell/cc/bbr3_sample.h"

namespace quell::cc::bbr3 {

class ProbeRtt {
 public:
  static constexpr Duration kDuration = milliseconds{200};  // BBR.ProbeRTTDuration

  void begin(ByteCount total_delivered) {
    ends_at_.reset();
    has_round_passed_ = false;
    limited_from_ = total_delivered;
  }

  // An ACK during ProbeRTT. `target`: what may be in flight; once it is no more, the time runs.
  void on_ack(const Sample& sample, double target, Round& round, TimePoint now) {
    limited_until_ =
        std::max<ByteCount>(sample.total_delivered + static_cast<ByteCount>(sample.in_flight), 1);
    if (!ends_at_) {
      if (sample.in_flight > target) return;
      ends_at_ = now + kDuration;
      round.start(sample.total_delivered);
    } else if (round.is_start()) {
      has_round_passed_ = true;
    }
  }

  bool is_time_over(TimePoint now) const { return ends_at_ && now > *ends_at_; }
  bool has_round_passed() const { return has_round_passed_; }

  // ProbeRTT itself limits the rate of what leaves during it, as if the application had nothing to send; so
  // such samples do not count as bandwidth. Choice: the mark is kept here and not in the transport's sampler,
  // which knows only the application. `prior_delivered`: C.delivered when the sampled packet was sent.
  bool limits(ByteCount prior_delivered) const {
    return prior_delivered >= limited_from_ && prior_delivered <= limited_until_ && limited_until_ > 0;
  }

 private:
  std::optional<TimePoint> ends_at_;  // nothing: still too much in flight
  bool has_round_passed_ = false;
  ByteCount limited_from_ = 0;
  ByteCount limited_until_ = 0;  // zero: never
};

}  // namespace quell::cc::bbr3
