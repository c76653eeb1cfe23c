// In which state is the sending part of a stream? (RFC 9000 §3.1)
#pragma once

#include <algorithm>
#include <cstdint>

#include "quell/connection/send_buffer.h"

namespace quell {

class SendStream {
 public:
  explicit SendStream(ByteCount peer_limit) : limit_(peer_limit) {}

  SendBuffer& buffer() { return buffer_; }
  const SendBuffer& buffer() const { return buffer_; }

  ByteCount limit() const { return limit_; }
  bool raise_limit(ByteCount limit) {
    if (limit <= limit_) return false;
    limit_ = limit;
    return true;
  }
  // New bytes that the stream's own flow control lets go.
  ByteCount new_ready() const {
    const ByteCount end = std::min(buffer_.written_end(), limit_);
    return end > buffer_.next_unsent() ? end - buffer_.next_unsent() : 0;
  }
  bool fin_ready() const { return buffer_.fin_is_unsent() && buffer_.unsent() == 0; }
  bool is_blocked_by_limit() const { return buffer_.unsent() > 0 && buffer_.next_unsent() >= limit_; }

  // Drops all content; RESET_STREAM has to go out. No effect once everything was acknowledged or reset.
  void reset(std::uint64_t error_code) {
    if (is_done() || is_reset()) return;
    reset_code_ = error_code;
    reset_ = Reset::wanted;
    buffer_.drop();
  }
  bool is_reset() const { return reset_ != Reset::none; }
  bool wants_reset_frame() const { return reset_ == Reset::wanted; }
  std::uint64_t reset_code() const { return reset_code_; }
  ByteCount final_size() const { return buffer_.next_unsent(); }
  void reset_frame_sent() { reset_ = Reset::sent; }
  void reset_frame_lost() {
    if (reset_ == Reset::sent) reset_ = Reset::wanted;
  }
  void reset_frame_acked() { reset_ = Reset::acked; }

  // STREAM_DATA_BLOCKED, once per limit.
  bool wants_blocked_frame() const { return is_blocked_by_limit() && blocked_told_at_ != limit_ + 1; }
  void blocked_frame_sent() { blocked_told_at_ = limit_ + 1; }
  void blocked_frame_lost() { blocked_told_at_ = 0; }

  // A terminal state: Data Recvd or Reset Recvd.
  bool is_done() const { return reset_ == Reset::acked || (!is_reset() && buffer_.is_finished()); }

 private:
  enum class Reset : std::uint8_t { none, wanted, sent, acked };
  SendBuffer buffer_;
  ByteCount limit_;
  ByteCount blocked_told_at_ = 0;
  std::uint64_t reset_code_ = 0;
  Reset reset_ = Reset::none;
};

}  // namespace quell
