// Where does chance come from? From a seeded generator that was handed in; equal seeds give equal draws on
// every machine, because the distributions are our own.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "quell/base/units.h"

namespace quell {

// xoshiro256**. Not for secrets in the real world: see crypto/random.
class Rng {
 public:
  explicit Rng(std::uint64_t seed);

  // An independent stream; the same parent state and label always give the same child, and forking does not
  // advance the parent.
  Rng fork(std::string_view label) const;

  std::uint64_t next();
  // Uniform in [0, bound); bound must be positive.
  std::uint64_t below(std::uint64_t bound);
  // Uniform in [0, 1).
  double real();
  // True with probability p (clamped to [0, 1]).
  bool chance(double p);
  // Exponential with the given mean.
  double exponential(double mean);
  void fill(MutableBytes out);

 private:
  std::array<std::uint64_t, 4> state_;
};

}  // namespace quell
