// How does a window grow before the path has said anything? By every byte that is acknowledged (RFC 9002
// §7.3.1). HyStart++ (hystart.h) stands beside this class, with the same verbs.
#pragma once

#include "quell/cc/events.h"
#include "quell/cc/window.h"

namespace quell::cc {

// Returns the growable bytes that are left for congestion avoidance: an ACK that crosses ssthresh is split
// there, so that a stretch ACK ends where many small ones would.
double grow_classically(Window& window, double growable);

class ClassicSlowStart {
 public:
  explicit ClassicSlowStart(const Config& /*config*/) {}

  // Every packet, also outside slow start.
  void on_sent(const SentEvent& /*event*/) {}

  // Every ACK outside recovery while in slow start, also one that may not grow the window. Returns what is
  // left of it, as above.
  double on_ack(Window& window, const AckEvent& event) {
    return grow_classically(window, static_cast<double>(event.growable_bytes));
  }

  // True once the path's delay says that slow start is over, without a loss. Classic slow start never knows.
  bool is_over() const { return false; }

  State state() const { return State::slow_start; }

  void restart() {}
};

}  // namespace quell::cc
