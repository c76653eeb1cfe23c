// How much may a slow application have read by now? At most a rate, in pieces worth waking up for.
#pragma once

#include <algorithm>
#include <limits>
#include <optional>

#include "quell/base/time.h"
#include "quell/base/units.h"

namespace quell::lab {

class ReadBudget {
 public:
  // Choice: nobody wakes up for less than a few packets.
  static constexpr ByteCount kPiece = 4096;

  explicit ReadBudget(Rate rate) : rate_(rate) {}

  // Bytes that may be read now; the first call starts the clock. Less than a piece is nothing.
  std::size_t available(TimePoint now) {
    if (rate_.is_unlimited()) return std::numeric_limits<std::size_t>::max();
    if (!begun_at_) begun_at_ = now;
    const ByteCount earned = rate_.bytes_in(now - *begun_at_);
    const ByteCount left = earned - std::min(earned, read_);
    return left < kPiece ? 0 : static_cast<std::size_t>(left);
  }
  void on_read(std::size_t bytes) { read_ += bytes; }
  // When a piece may be read again, after nothing was available; a little later, for what rounding took.
  TimePoint available_at() const {
    return begun_at_.value_or(TimePoint{}) + rate_.time_for(read_ + kPiece) + microseconds{1};
  }

 private:
  Rate rate_;
  ByteCount read_ = 0;
  std::optional<TimePoint> begun_at_;
};

}  // namespace quell::lab
