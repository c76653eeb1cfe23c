// Has the sender kept to its rate? A token bucket drops what it has no tokens for (RFC 2475 §2.3.3.3).
#pragma once

#include "quell/path/config.h"
#include "quell/path/phases.h"

namespace quell::path {

class Policer {
 public:
  explicit Policer(const PolicerConfig& config)
      : config_(config), tokens_(static_cast<double>(config.depth)) {}

  // Takes the packet's tokens, or says no and takes none.
  bool admits(ByteCount size, const Phases& phases, TimePoint now);
  const Phase& when() const { return config_.when; }

 private:
  PolicerConfig config_;
  double tokens_;  // bytes
  TimePoint filled_at_{};
};

}  // namespace quell::path
