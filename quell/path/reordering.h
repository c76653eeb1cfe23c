// Which packets are overtaken, and by how many or for how long?
#pragma once

#include <optional>

#include "quell/base/rng.h"
#include "quell/path/phases.h"

namespace quell::path {

class Reordering {
 public:
  Reordering(const ReorderPhase& config, Rng rng) : config_(config), rng_(rng) {}

  struct Hold {
    std::uint32_t packets = 0;  // until so many have overtaken it; zero: time alone decides
    Duration at_most{0};
  };
  // Nothing for packets that keep their place. One draw per packet while the phase is open.
  std::optional<Hold> hold(ByteCount size, const Phases& phases, TimePoint now);
  const Phase& when() const { return config_.when; }

 private:
  bool is_chosen();

  ReorderPhase config_;
  Rng rng_;
  std::uint64_t count_ = 0;
};

}  // namespace quell::path
