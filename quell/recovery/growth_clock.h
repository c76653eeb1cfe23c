// For how long has the sender been limited by its window? The time on which a window may grow.
#pragma once

#include "quell/base/time.h"

namespace quell {

// ∫ limited dt. Invariant: it never runs backwards, never faster than the wall clock, and stands still while
// the sender has nothing to send. So it can neither hold idle time nor lie in the future: the two faults of
// CUBIC epochs that were kept as wall-clock times.
class GrowthClock {
 public:
  // From `now` on. Set when a transmit pass ends.
  void set_limited(bool is_limited, TimePoint now);
  bool is_limited() const { return is_limited_; }
  Duration read(TimePoint now) const;

 private:
  Duration total_{0};
  TimePoint since_{};  // start of the stretch that `total_` does not contain yet
  bool is_limited_ = false;
};

}  // namespace quell
