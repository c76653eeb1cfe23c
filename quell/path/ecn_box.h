// What does a box in the middle do to the ECN bits of a packet?
#pragma once

#include <optional>

#include "quell/base/rng.h"
#include "quell/path/phases.h"
#include "quell/wire/types.h"

namespace quell::path {

class EcnBox {
 public:
  EcnBox(const EcnPhase& config, Rng rng) : config_(config), rng_(rng) {}

  // The bits as the packet leaves with them; nothing when it is swallowed.
  std::optional<Ecn> pass(Ecn ecn, const Phases& phases, TimePoint now);

  const Phase& when() const { return config_.when; }
  bool has_more_to_do() const { return config_.times && done_ < *config_.times; }
  TimePoint last_at() const { return last_at_; }

 private:
  EcnPhase config_;
  Rng rng_;
  std::uint32_t done_ = 0;
  TimePoint last_at_{};
};

}  // namespace quell::path
