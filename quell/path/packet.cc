#include "quell/path/packet.h"

namespace quell::path {

const char* to_string(Way way) {
  return way == Way::up ? "up" : "down";
}

const char* to_string(Fate fate) {
  switch (fate) {
    case Fate::delivered:
      return "delivered";
    case Fate::lost_by_chance:
      return "lost by chance";
    case Fate::dropped_by_script:
      return "dropped by script";
    case Fate::thinned:
      return "thinned";
    case Fate::queue_full:
      return "queue full";
    case Fate::dropped_by_queue:
      return "dropped by the queue";
    case Fate::policed:
      return "policed";
    case Fate::too_large:
      return "too large";
    case Fate::black_holed:
      return "black-holed for its ECN bits";
    case Fate::unmapped:
      return "sent to a port that is no more";
  }
  return "?";
}

}  // namespace quell::path
