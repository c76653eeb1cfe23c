#include "quell/cc/events.h"

namespace quell::cc {

const char* to_string(State state) {
  switch (state) {
    case State::slow_start:
      return "slow_start";
    case State::conservative_slow_start:
      return "conservative_slow_start";
    case State::congestion_avoidance:
      return "congestion_avoidance";
    case State::recovery:
      return "recovery";
    case State::application_limited:
      return "application_limited";
  }
  return "?";
}

}  // namespace quell::cc
