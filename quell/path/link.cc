#include "quell/path/link.h"

#include <algorithm>
#include <utility>

#include "quell/base/check.h"

namespace quell::path {

Link::Link(const LinkConfig& config, Rng rng) : config_(config), rng_(rng) {
  QUELL_CHECK(!config.rate.is_zero());
}

ByteCount Link::backlog(TimePoint now) const {
  if (config_.rate.is_unlimited() || booked_until_ <= now) return 0;
  return config_.rate.bytes_in(booked_until_ - now);
}

std::optional<TimePoint> Link::carry(ByteCount size, TimePoint now) {
  const TimePoint begins = std::max(booked_until_, now);
  // A packet that finds the transmitter free is never refused, whatever the queue's size.
  if (begins > now && backlog(now) + size > config_.queue_bytes) return std::nullopt;
  booked_until_ = begins + config_.rate.time_for(size);
  TimePoint out = booked_until_ + config_.delay;
  if (config_.jitter > Duration{0}) {
    out += Duration{
        static_cast<std::int64_t>(rng_.below(static_cast<std::uint64_t>(config_.jitter.count()) + 1))};
  }
  last_out_ = std::max(last_out_, out);  // jitter delays, it does not reorder
  return last_out_;
}

}  // namespace quell::path
