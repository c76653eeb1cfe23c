#include "quell/path/rate_schedule.h"

#include <algorithm>

#include "quell/base/check.h"

namespace quell::path {

RateSchedule::RateSchedule(Rate rate) : steps_{RateStep{Duration{0}, rate}} {
  QUELL_CHECK(!rate.is_zero());
}

RateSchedule::RateSchedule(const RateTrace& trace, TimePoint start)
    : steps_(trace.steps), every_(trace.every.value_or(Duration{0})), start_(start) {
  QUELL_CHECK(!steps_.empty());
  QUELL_CHECK(steps_.front().at == Duration{0});
  QUELL_CHECK(std::ranges::is_sorted(steps_, {}, &RateStep::at));
  QUELL_CHECK(every_ == Duration{0} || every_ > steps_.back().at);
  const auto is_positive = [](const RateStep& step) { return !step.rate.is_zero(); };
  QUELL_CHECK(every_ > Duration{0} ? std::ranges::any_of(steps_, is_positive) : is_positive(steps_.back()));
}

RateSchedule::Segment RateSchedule::segment(TimePoint t) const {
  if (steps_.size() == 1) return {steps_[0].rate, TimePoint::max()};
  Duration since = std::max(t - start_, Duration{0});
  const Duration lap = every_ > Duration{0} ? since / every_ * every_ : Duration{0};
  since -= lap;
  const auto next = std::ranges::upper_bound(steps_, since, {}, &RateStep::at);
  const Rate rate = std::prev(next)->rate;
  if (next != steps_.end()) return {rate, start_ + lap + next->at};
  return {rate, every_ > Duration{0} ? start_ + lap + every_ : TimePoint::max()};
}

TimePoint RateSchedule::finish(ByteCount bytes, TimePoint t) const {
  auto left = static_cast<double>(bytes);
  for (;;) {
    const Segment now = segment(t);
    if (now.until == TimePoint::max()) return t + from_seconds(left / now.rate.bytes_per_second());
    if (now.rate.is_unlimited()) return t;
    const double room = now.rate.bytes_per_second() * to_seconds(now.until - t);
    if (left <= room) return left > 0 ? t + from_seconds(left / now.rate.bytes_per_second()) : t;
    left -= room;
    t = now.until;
  }
}

double RateSchedule::bytes_between(TimePoint from, TimePoint to) const {
  double bytes = 0;
  while (from < to) {
    const Segment now = segment(from);
    const TimePoint until = std::min(now.until, to);
    bytes += now.rate.bytes_per_second() * to_seconds(until - from);
    from = until;
  }
  return bytes;
}

}  // namespace quell::path
