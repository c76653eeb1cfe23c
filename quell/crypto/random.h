// Where do unpredictable bytes come from? The system for real endpoints, a seeded generator for the
// laboratory.
#pragma once

#include <cstdint>
#include <memory>

#include "quell/base/rng.h"
#include "quell/base/units.h"

namespace quell {

class Random {
 public:
  virtual ~Random() = default;
  virtual void fill(MutableBytes out) = 0;
  std::uint64_t u64();
};

// gnutls_rnd, in blocks; strong enough for keys. Not for use on both sides of a fork().
std::unique_ptr<Random> make_system_random();
std::unique_ptr<Random> make_seeded_random(Rng rng);

}  // namespace quell
