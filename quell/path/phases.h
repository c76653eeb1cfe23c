// Has this phase begun, and is it still on? Phases hang on moments that the path itself sees.
#pragma once

#include <array>
#include <optional>

#include "quell/path/config.h"

namespace quell::path {

class Phases {
 public:
  explicit Phases(TimePoint start) : start_(start) {}

  // Looks for the packets that open phases; call it before asking about the same datagram.
  void watch(Way way, Bytes datagram, TimePoint now);

  // When a phase with this trigger begins; nothing while its event has not happened.
  std::optional<TimePoint> begins_at(const Trigger& trigger) const;
  bool is_open(const Trigger& from, const std::optional<Duration>& lasts, TimePoint now) const;
  bool is_open(const Phase& phase, TimePoint now) const { return is_open(phase.from, phase.lasts, now); }
  TimePoint start() const { return start_; }

 private:
  TimePoint start_;
  std::array<std::optional<TimePoint>, 2> first_one_rtt_;  // by way
};

// True if the datagram holds a 1-RTT packet, alone or behind coalesced long headers (RFC 9000 §12.2).
bool holds_one_rtt(Bytes datagram);

}  // namespace quell::path
