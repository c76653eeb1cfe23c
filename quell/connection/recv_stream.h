// In which state is the receiving part of a stream? (RFC 9000 §3.2)
#pragma once

#include <cstdint>
#include <optional>

#include "quell/connection/flow_control.h"
#include "quell/connection/reassembler.h"
#include "quell/wire/error.h"
#include "quell/wire/frame.h"

namespace quell {

class RecvStream {
 public:
  explicit RecvStream(ByteCount window) : window_(window) {}

  // Both return by how much the largest received offset grew: that counts against the connection's window.
  // Errors: FLOW_CONTROL_ERROR, FINAL_SIZE_ERROR (§4.5), INTERNAL_ERROR for a stream in crumbs.
  Result<ByteCount> on_stream_frame(const StreamFrame& frame);
  Result<ByteCount> on_reset(const ResetStreamFrame& frame);

  Bytes readable() const { return is_reset() ? Bytes{} : buffer_.readable(); }
  // The FIN stands right behind readable().
  bool fin_follows_readable() const {
    return final_size_ && !is_reset() && buffer_.read_offset() + buffer_.readable().size() == *final_size_;
  }
  bool has_news() const {
    return !is_done() && !is_reset() && (buffer_.has_readable() || fin_follows_readable());
  }
  // Takes bytes off. With the last one the stream is done, if its FIN has arrived.
  void consume(ByteCount count);
  // The application saw the FIN of a stream whose last byte it had already taken, or heard of the reset.
  void acknowledge_end() { end_seen_ = true; }

  // After STOP_SENDING: what still arrives is thrown away. Returns the bytes that were waiting unread.
  ByteCount discard();
  bool is_discarding() const { return discarding_; }
  // Bytes that count as received but were never consumed: given back to the connection's window when the
  // stream ends early.
  ByteCount unconsumed() const { return window_.highest() - window_.consumed(); }
  void consume_rest() { window_.consume(unconsumed()); }

  bool is_reset() const { return reset_code_.has_value(); }
  std::uint64_t reset_code() const { return reset_code_.value_or(0); }
  bool is_final_size_known() const { return final_size_.has_value(); }
  // Data Read or Reset Read (§3.2).
  bool is_done() const { return end_seen_; }

  ReceiveWindow& window() { return window_; }
  bool wants_window_update() const {
    return !final_size_ && !discarding_ && (window_update_again_ || window_.wants_update());
  }
  void window_update_sent() { window_update_again_ = false; }
  void window_update_lost() { window_update_again_ = true; }

  // STOP_SENDING (§3.5).
  void stop(std::uint64_t error_code);
  bool wants_stop_frame() const { return stop_wanted_ && !final_size_; }
  std::uint64_t stop_code() const { return stop_code_; }
  void stop_frame_sent() { stop_wanted_ = false; }
  void stop_frame_lost() { stop_wanted_ = true; }

 private:
  Result<ByteCount> grow_to(ByteCount end, FrameType cause);

  Reassembler buffer_;
  ReceiveWindow window_;
  std::optional<ByteCount> final_size_;
  std::optional<std::uint64_t> reset_code_;
  std::uint64_t stop_code_ = 0;
  bool window_update_again_ = false;
  bool stop_wanted_ = false;
  bool discarding_ = false;
  bool end_seen_ = false;
};

}  // namespace quell
