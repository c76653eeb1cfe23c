#include "quell/path/corruption.h"

#include <algorithm>
#include <vector>

namespace quell::path {

bool Corruption::damage(MutableBytes bytes, const Phases& phases, TimePoint now) {
  if (bytes.empty() || !phases.is_open(config_.when, now) || !rng_.chance(config_.probability)) return false;
  const std::uint64_t bits = std::uint64_t{bytes.size()} * 8;
  std::vector<std::uint64_t> flipped;
  while (flipped.size() < std::min<std::uint64_t>(config_.bits, bits)) {
    const std::uint64_t bit = rng_.below(bits);
    if (std::ranges::find(flipped, bit) != flipped.end()) continue;
    flipped.push_back(bit);
    bytes[bit / 8] = static_cast<std::uint8_t>(bytes[bit / 8] ^ (1U << bit % 8));
  }
  return !flipped.empty();
}

}  // namespace quell::path
