#include "quell/path/policer.h"

#include <algorithm>

namespace quell::path {

bool Policer::admits(ByteCount size, const Phases& phases, TimePoint now) {
  if (!phases.is_open(config_.when, now)) return true;
  const auto depth = static_cast<double>(config_.depth);
  tokens_ = std::min(depth, tokens_ + config_.rate.bytes_per_second() * to_seconds(now - filled_at_));
  filled_at_ = now;
  if (tokens_ < static_cast<double>(size)) return false;
  tokens_ -= static_cast<double>(size);
  return true;
}

}  // namespace quell::path
