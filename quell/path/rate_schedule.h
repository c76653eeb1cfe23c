// How much can a link send from here to there, when its rate changes over time?
#pragma once

#include <vector>

#include "quell/path/config.h"

namespace quell::path {

class RateSchedule {
 public:
  // One rate for ever.
  explicit RateSchedule(Rate rate);
  // With a trace that has steps; see RateTrace for what it must keep to.
  RateSchedule(const RateTrace& trace, TimePoint start);

  Rate rate_at(TimePoint t) const { return segment(t).rate; }
  // When `bytes` that begin to be sent at `t` have been sent.
  TimePoint finish(ByteCount bytes, TimePoint t) const;
  // What a busy link sends between two moments. The rate must not be unlimited.
  double bytes_between(TimePoint from, TimePoint to) const;
  bool is_unlimited() const { return steps_.size() == 1 && steps_[0].rate.is_unlimited(); }

 private:
  struct Segment {
    Rate rate;
    TimePoint until;
  };
  Segment segment(TimePoint t) const;

  std::vector<RateStep> steps_;
  Duration every_{0};  // zero: does not repeat
  TimePoint start_{};
};

}  // namespace quell::path
