// What does the sender of a run have to send, and when? Bytes or a stretch of time, all at once or in chunks,
// with one silence in between.
#pragma once

#include <optional>

#include "quell/connection/slice.h"
#include "quell/lab/scenario.h"

namespace quell::lab {

class BodySource {
 public:
  explicit BodySource(const LoadConfig& config);

  // The clock of pause, chunks and end starts.
  void begin(TimePoint now) { begun_at_ = now; }
  bool has_begun() const { return begun_at_.has_value(); }
  // All bytes were taken.
  bool is_finished() const { return left_ == 0; }
  // The time that it lasts is over.
  bool is_over(TimePoint now) const;
  // There is something to send now.
  bool is_ready(TimePoint now) const { return available(now) > 0; }
  // At most `room` bytes, without copying; the source must be ready.
  Slice take(std::size_t room, TimePoint now);
  // Bytes taken so far.
  ByteCount taken() const { return taken_; }
  // The first time after `t` at which it may become ready or over; nothing: neither will happen by itself.
  std::optional<TimePoint> changes_after(TimePoint t) const;

 private:
  bool is_silent(TimePoint now) const;
  ByteCount available(TimePoint now) const;
  bool is_chunked(TimePoint now) const;
  TimePoint chunks_begin() const { return *begun_at_ + config_.chunks_after; }
  TimePoint chunks_end() const { return chunks_begin() + config_.chunks_for; }

  LoadConfig config_;
  Slice block_;
  ByteCount left_;
  ByteCount taken_ = 0;
  ByteCount taken_of_chunks_ = 0;
  std::optional<TimePoint> begun_at_;
};

}  // namespace quell::lab
