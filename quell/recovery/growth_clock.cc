#include "quell/recovery/growth_clock.h"

#include <algorithm>

namespace quell {

void GrowthClock::set_limited(bool is_limited, TimePoint now) {
  total_ = read(now);
  since_ = is_limited_ ? std::max(since_, now) : now;
  is_limited_ = is_limited;
}

Duration GrowthClock::read(TimePoint now) const {
  if (!is_limited_) return total_;
  return total_ + std::max(now - since_, Duration{0});
}

}  // namespace quell
