// What does the server of a run have to send, and when? A number of bytes, with one silence in between.
#pragma once

#include <algorithm>
#include <optional>

#include "quell/connection/slice.h"
#include "quell/lab/scenario.h"

namespace quell::lab {

class BodySource {
 public:
  explicit BodySource(const LoadConfig& config);

  // The request is there: the clock of the pause starts.
  void begin(TimePoint now) { begun_at_ = now; }
  bool has_begun() const { return begun_at_.has_value(); }
  bool is_finished() const { return left_ == 0; }
  bool is_silent(TimePoint now) const;
  // There is something to send now.
  bool is_ready(TimePoint now) const { return has_begun() && !is_finished() && !is_silent(now); }
  // When a silence ends that has begun or will begin; nothing when none will.
  std::optional<TimePoint> silence_ends_at() const;
  // At most `room` bytes, without copying; the source must be ready.
  Slice take(std::size_t room);

 private:
  LoadConfig config_;
  Slice block_;
  ByteCount left_;
  std::optional<TimePoint> begun_at_;
};

}  // namespace quell::lab
