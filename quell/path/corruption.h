// Which bits are flipped on the way?
#pragma once

#include "quell/base/rng.h"
#include "quell/path/phases.h"

namespace quell::path {

// Damages a packet in place; its receiver has to notice.
class Corruption {
 public:
  Corruption(const CorruptPhase& config, Rng rng) : config_(config), rng_(rng) {}

  // True: it did. The flipped bits are different ones, so that none is flipped back.
  bool damage(MutableBytes bytes, const Phases& phases, TimePoint now);
  const Phase& when() const { return config_.when; }

 private:
  CorruptPhase config_;
  Rng rng_;
};

}  // namespace quell::path
