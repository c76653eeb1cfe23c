#include "quell/connection/recv_stream.h"

namespace quell {

Result<ByteCount> RecvStream::grow_to(ByteCount end, FrameType cause) {
  const auto type = static_cast<std::uint64_t>(cause);
  if (final_size_ && end > *final_size_) {
    return fail(TransportError::final_size_error, "data beyond the final size", type);
  }
  const ByteCount before = window_.highest();
  if (!window_.receive_up_to(end)) {
    return fail(TransportError::flow_control_error, "more data than the stream's limit allows", type);
  }
  return window_.highest() - before;
}

Result<ByteCount> RecvStream::on_stream_frame(const StreamFrame& frame) {
  const ByteCount end = frame.offset + frame.data.size();
  if (frame.fin) {
    const bool contradicts = final_size_ ? *final_size_ != end : end < window_.highest();
    if (contradicts) {
      return fail(TransportError::final_size_error, "the final size changed",
                  static_cast<std::uint64_t>(FrameType::stream));
    }
  }
  const auto grown = grow_to(end, FrameType::stream);
  if (!grown) return grown;
  if (frame.fin) final_size_ = end;
  if (is_reset() || end_seen_) return grown;
  if (discarding_) {
    window_.consume(*grown);
    if (final_size_ && window_.highest() == *final_size_) end_seen_ = true;
    return grown;
  }
  buffer_.insert(frame.offset, frame.data);
  if (buffer_.has_too_many_holes()) {
    return fail(TransportError::internal_error, "the stream comes in too many pieces",
                static_cast<std::uint64_t>(FrameType::stream));
  }
  return grown;
}

Result<ByteCount> RecvStream::on_reset(const ResetStreamFrame& frame) {
  const bool contradicts =
      final_size_ ? *final_size_ != frame.final_size : frame.final_size < window_.highest();
  if (contradicts) {
    return fail(TransportError::final_size_error, "the final size changed",
                static_cast<std::uint64_t>(FrameType::reset_stream));
  }
  const auto grown = grow_to(frame.final_size, FrameType::reset_stream);
  if (!grown) return grown;
  // Choice: a reset overtakes data that the application has not read (§3.2 leaves this open), unless all of
  // it is here already. Without a FIN it never is: an end that only the reset tells must not look like one.
  const bool all_here = final_size_ && buffer_.contiguous_end() == *final_size_ && !discarding_;
  final_size_ = frame.final_size;
  if (!all_here && !end_seen_) {
    reset_code_ = frame.error_code;
    buffer_.drop();
  }
  return grown;
}

void RecvStream::consume(ByteCount count) {
  buffer_.consume(count);
  window_.consume(count);
  if (final_size_ && buffer_.read_offset() == *final_size_) end_seen_ = true;
}

ByteCount RecvStream::discard() {
  discarding_ = true;
  const ByteCount waiting = unconsumed();
  window_.consume(waiting);
  buffer_.drop();
  if (final_size_ && window_.highest() == *final_size_) end_seen_ = true;
  return waiting;
}

void RecvStream::stop(std::uint64_t error_code) {
  if (final_size_ || discarding_) return;
  stop_code_ = error_code;
  stop_wanted_ = true;
}

}  // namespace quell
