#include "quell/path/reordering.h"

namespace quell::path {
namespace {

// Choice: what waits to be overtaken and never is comes out after this long; else the last packet of a
// conversation would be a lost one.
constexpr Duration kLongestHold = seconds{1};

}  // namespace

bool Reordering::is_chosen() {
  if (config_.every_nth > 0) return ++count_ % config_.every_nth == 0;
  return rng_.chance(config_.probability);
}

std::optional<Reordering::Hold> Reordering::hold(ByteCount size, const Phases& phases, TimePoint now) {
  if (size < config_.least_size || !phases.is_open(config_.when, now) || !is_chosen()) return std::nullopt;
  const bool has_limit = config_.by_packets == 0 || config_.by_time > Duration{0};
  return Hold{config_.by_packets, has_limit ? config_.by_time : kLongestHold};
}

}  // namespace quell::path
