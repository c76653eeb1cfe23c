// How much may each end send? Credit that the peer gave us, and windows that we slide for it (RFC 9000 §4).
#pragma once

#include <algorithm>
#include <cstdint>

#include "quell/base/units.h"

namespace quell {

// What the peer allows us: a limit that only grows.
class SendCredit {
 public:
  explicit SendCredit(ByteCount limit = 0) : limit_(limit) {}

  // True if the limit grew.
  bool raise(ByteCount limit) {
    if (limit <= limit_) return false;
    limit_ = limit;
    return true;
  }
  void spend(ByteCount bytes) { used_ += bytes; }
  ByteCount limit() const { return limit_; }
  ByteCount used() const { return used_; }
  ByteCount left() const { return limit_ > used_ ? limit_ - used_ : 0; }

  // One *_BLOCKED frame per limit is enough (§4.1).
  bool wants_blocked_frame() const { return left() == 0 && blocked_told_at_ != limit_ + 1; }
  void blocked_frame_sent() { blocked_told_at_ = limit_ + 1; }
  void blocked_frame_lost() { blocked_told_at_ = 0; }

 private:
  ByteCount limit_;
  ByteCount used_ = 0;
  ByteCount blocked_told_at_ = 0;  // limit + 1 that was told; 0: none
};

// What we allow the peer: a window behind what the application has consumed.
class ReceiveWindow {
 public:
  explicit ReceiveWindow(ByteCount window = 0) : window_(window), limit_(window) {}

  // False: the peer overran it (FLOW_CONTROL_ERROR). `highest` is the largest offset received.
  [[nodiscard]] bool receive_up_to(ByteCount highest) {
    highest_ = std::max(highest_, highest);
    return highest_ <= limit_;
  }
  void consume(ByteCount bytes) { consumed_ += bytes; }
  ByteCount highest() const { return highest_; }
  ByteCount consumed() const { return consumed_; }
  ByteCount limit() const { return limit_; }

  // Choice: a new limit goes out when a 32nd of the window is used up. What is consumed after an update is
  // told only with the next one, so a sender that this window holds back gets all but a 32nd of it per round
  // trip; with two updates per window it got half.
  static constexpr ByteCount kUpdatesPerWindow = 32;
  bool wants_update() const {
    return next_limit() > limit_ && next_limit() - limit_ >= window_ / kUpdatesPerWindow;
  }
  // The limit to announce now. It is not in force before slide(): the frame may find no room.
  ByteCount next_limit() const { return std::max(limit_, consumed_ + window_); }
  // It was announced.
  ByteCount slide() {
    limit_ = next_limit();
    return limit_;
  }

 private:
  ByteCount window_;
  ByteCount limit_;
  ByteCount highest_ = 0;
  ByteCount consumed_ = 0;
};

}  // namespace quell
