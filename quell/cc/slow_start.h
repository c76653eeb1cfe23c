// How does a window grow before the path has said anything? By every byte that is acknowledged (RFC 9002
// §7.3.1). HyStart++ (RFC 9406) will stand beside this class, with the same four verbs.
#pragma once

#include "quell/cc/events.h"
#include "quell/cc/window.h"

namespace quell::cc {

class ClassicSlowStart {
 public:
  void on_sent(const SentEvent& /*event*/) {}

  // Every ACK outside recovery while in slow start, also one that may not grow the window. Returns the
  // growable bytes that are left for congestion avoidance: an ACK that crosses ssthresh is split there, so
  // that a stretch ACK ends where many small ones would.
  double on_ack(Window& window, const AckEvent& event);

  // True once the path's delay says that slow start is over, without a loss. Classic slow start never knows.
  bool is_over() const { return false; }

  void restart() {}
};

}  // namespace quell::cc
