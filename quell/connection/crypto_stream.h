// How do TLS messages travel in one packet number space? (RFC 9000 §7.5, RFC 9001 §4.1.3)
#pragma once

#include <vector>

#include "quell/connection/frame_sink.h"
#include "quell/connection/reassembler.h"
#include "quell/connection/send_buffer.h"
#include "quell/wire/error.h"
#include "quell/wire/frame.h"

namespace quell {

class CryptoStream {
 public:
  // RFC 9000 §7.5 asks for 4,096 at least. Choice: 64 KiB fits every certificate chain that we have seen, out
  // of order.
  static constexpr ByteCount kMaxBuffered = 65536;

  // Error: CRYPTO_BUFFER_EXCEEDED.
  Result<void> on_frame(const CryptoFrame& frame) {
    if (frame.offset + frame.data.size() > received_.read_offset() + kMaxBuffered) {
      return fail(TransportError::crypto_buffer_exceeded, "too much handshake data out of order",
                  static_cast<std::uint64_t>(FrameType::crypto));
    }
    received_.insert(frame.offset, frame.data);
    if (received_.has_too_many_holes()) {
      return fail(TransportError::crypto_buffer_exceeded, "handshake data comes in too many pieces",
                  static_cast<std::uint64_t>(FrameType::crypto));
    }
    return {};
  }
  Bytes readable() const { return received_.readable(); }
  void consume(std::size_t count) { received_.consume(count); }
  ByteCount read_offset() const { return received_.read_offset(); }

  void write(std::vector<std::uint8_t> data) { to_send_.write(Slice::adopt(std::move(data)), false); }
  bool has_frames() const { return to_send_.has_lost() || to_send_.unsent() > 0; }
  ByteCount ready_bytes() const { return to_send_.unsent() + to_send_.lost_bytes(); }
  void write_frames(FrameSink& sink) {
    constexpr std::size_t kLeastData = 32;  // a smaller piece is not worth its header
    while (has_frames()) {
      const std::size_t header = crypto_header_size(to_send_.written_end(), sink.room());
      if (sink.room() < header + kLeastData) return;
      const auto chunk = to_send_.peek(sink.room() - header, to_send_.written_end());
      write_crypto_header(sink.writer(), chunk->offset, chunk->size);
      to_send_.copy(chunk->offset, sink.writer().rest().first(chunk->size));
      sink.writer().advance(chunk->size);
      sink.note({.type = FrameType::crypto,
                 .length = static_cast<std::uint32_t>(chunk->size),
                 .offset = chunk->offset});
      to_send_.on_sent(*chunk);
    }
  }
  void on_acked(const SentFrame& frame) { to_send_.on_acked(frame.offset, frame.length, false); }
  void on_lost(const SentFrame& frame) { to_send_.on_lost(frame.offset, frame.length, false); }

 private:
  Reassembler received_;
  SendBuffer to_send_;
};

}  // namespace quell
