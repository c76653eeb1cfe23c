#include "quell/recovery/number_skips.h"

#include <algorithm>

namespace quell {
namespace {

constexpr ByteCount kWindowsBetween = 2;
constexpr ByteCount kLeastMean = 128;

}  // namespace

NumberSkips::NumberSkips(std::optional<Rng> rng) : rng_(rng) {
  if (rng_) draw(0, 0);
}

// Uniform between half and one and a half of the mean.
void NumberSkips::draw(PacketNumber from, ByteCount window_packets) {
  const ByteCount mean = std::max(kLeastMean, kWindowsBetween * window_packets);
  next_ = from + mean / 2 + rng_->below(mean);
}

void NumberSkips::on_skipped(ByteCount window_packets) {
  std::shift_right(skipped_.begin(), skipped_.end(), 1);
  skipped_.front() = next_;
  count_ = std::min(count_ + 1, kRemembered);
  draw(next_, window_packets);
}

bool NumberSkips::are_covered_by(const AckFrame& ack) const {
  std::size_t i = 0;
  AckRanges intervals{ack};
  while (i < count_) {
    const auto interval = intervals.next();
    if (!interval) return false;
    while (i < count_ && skipped_[i] > interval->largest) ++i;
    if (i < count_ && skipped_[i] >= interval->smallest) return true;
  }
  return false;
}

}  // namespace quell
