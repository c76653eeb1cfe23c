// When has a connection been silent for too long? (RFC 9000 §10.1)
#pragma once

#include <algorithm>
#include <optional>

#include "quell/base/time.h"

namespace quell {

class IdleTimer {
 public:
  explicit IdleTimer(Duration ours, TimePoint now) : timeout_(ours), since_(now) {}

  // The smaller of the two promises counts; zero is none.
  void set_peer_timeout(Duration peers) {
    if (peers.count() > 0) timeout_ = timeout_.count() == 0 ? peers : std::min(timeout_, peers);
  }
  void on_received(TimePoint now) {
    since_ = now;
    sent_since_received_ = false;
  }
  void on_ack_eliciting_sent(TimePoint now) {
    if (sent_since_received_) return;
    sent_since_received_ = true;
    since_ = now;
  }
  // At least three PTOs, so that a probe has its chance.
  std::optional<TimePoint> expires_at(Duration pto) const {
    if (timeout_.count() == 0) return std::nullopt;
    return since_ + std::max(timeout_, 3 * pto);
  }

 private:
  Duration timeout_;
  TimePoint since_;
  bool sent_since_received_ = false;
};

}  // namespace quell
