#include "quell/wire/frame_writer.h"

#include <algorithm>

#include "quell/base/check.h"

namespace quell {
namespace {

// Frames are laid out once, by `lay_out`, into either of these: one counts, one writes.
class Counter {
 public:
  void type(FrameType) { ++size_; }
  void varint(std::uint64_t v) { size_ += varint_size(v); }
  void u8(std::uint8_t) { ++size_; }
  void bytes(Bytes data) { size_ += data.size(); }
  void zeros(std::size_t count) { size_ += count; }
  std::size_t size() const { return size_; }

 private:
  std::size_t size_ = 0;
};

class Emitter {
 public:
  explicit Emitter(Writer& out) : out_(out) {}
  void type(FrameType type) { out_.u8(static_cast<std::uint8_t>(type)); }
  void varint(std::uint64_t v) { out_.varint(v); }
  void u8(std::uint8_t v) { out_.u8(v); }
  void bytes(Bytes data) { out_.bytes(data); }
  void zeros(std::size_t count) { out_.fill(0, count); }

 private:
  Writer& out_;
};

constexpr FrameType stream_type(ByteCount offset, bool fin, bool with_length) {
  return static_cast<FrameType>(0x08U | (offset > 0 ? 0x04U : 0U) | (with_length ? 0x02U : 0U) |
                                (fin ? 0x01U : 0U));
}

template <typename Out>
void lay_out(Out& out, const PaddingFrame& f) {
  out.zeros(static_cast<std::size_t>(f.size));
}
template <typename Out>
void lay_out(Out& out, const PingFrame&) {
  out.type(FrameType::ping);
}
template <typename Out>
void lay_out(Out&, const AckFrame&) {
  constexpr bool ack_goes_through_write_ack = false;
  QUELL_CHECK(ack_goes_through_write_ack);
}
template <typename Out>
void lay_out(Out& out, const ResetStreamFrame& f) {
  out.type(FrameType::reset_stream);
  out.varint(f.stream);
  out.varint(f.error_code);
  out.varint(f.final_size);
}
template <typename Out>
void lay_out(Out& out, const StopSendingFrame& f) {
  out.type(FrameType::stop_sending);
  out.varint(f.stream);
  out.varint(f.error_code);
}
template <typename Out>
void lay_out(Out& out, const CryptoFrame& f) {
  out.type(FrameType::crypto);
  out.varint(f.offset);
  out.varint(f.data.size());
  out.bytes(f.data);
}
template <typename Out>
void lay_out(Out& out, const NewTokenFrame& f) {
  out.type(FrameType::new_token);
  out.varint(f.token.size());
  out.bytes(f.token);
}
template <typename Out>
void lay_out(Out& out, const StreamFrame& f) {
  out.type(stream_type(f.offset, f.fin, true));
  out.varint(f.stream);
  if (f.offset > 0) out.varint(f.offset);
  out.varint(f.data.size());
  out.bytes(f.data);
}
template <typename Out>
void lay_out(Out& out, const MaxDataFrame& f) {
  out.type(FrameType::max_data);
  out.varint(f.maximum);
}
template <typename Out>
void lay_out(Out& out, const MaxStreamDataFrame& f) {
  out.type(FrameType::max_stream_data);
  out.varint(f.stream);
  out.varint(f.maximum);
}
template <typename Out>
void lay_out(Out& out, const MaxStreamsFrame& f) {
  out.type(f.kind == StreamKind::bidi ? FrameType::max_streams_bidi : FrameType::max_streams_uni);
  out.varint(f.maximum);
}
template <typename Out>
void lay_out(Out& out, const DataBlockedFrame& f) {
  out.type(FrameType::data_blocked);
  out.varint(f.limit);
}
template <typename Out>
void lay_out(Out& out, const StreamDataBlockedFrame& f) {
  out.type(FrameType::stream_data_blocked);
  out.varint(f.stream);
  out.varint(f.limit);
}
template <typename Out>
void lay_out(Out& out, const StreamsBlockedFrame& f) {
  out.type(f.kind == StreamKind::bidi ? FrameType::streams_blocked_bidi : FrameType::streams_blocked_uni);
  out.varint(f.limit);
}
template <typename Out>
void lay_out(Out& out, const NewConnectionIdFrame& f) {
  out.type(FrameType::new_connection_id);
  out.varint(f.sequence);
  out.varint(f.retire_prior_to);
  out.u8(static_cast<std::uint8_t>(f.id.size()));
  out.bytes(f.id.bytes());
  out.bytes(f.reset_token);
}
template <typename Out>
void lay_out(Out& out, const RetireConnectionIdFrame& f) {
  out.type(FrameType::retire_connection_id);
  out.varint(f.sequence);
}
template <typename Out>
void lay_out(Out& out, const PathChallengeFrame& f) {
  out.type(FrameType::path_challenge);
  out.bytes(f.data);
}
template <typename Out>
void lay_out(Out& out, const PathResponseFrame& f) {
  out.type(FrameType::path_response);
  out.bytes(f.data);
}
template <typename Out>
void lay_out(Out& out, const ConnectionCloseFrame& f) {
  out.type(f.is_application ? FrameType::connection_close_application : FrameType::connection_close);
  out.varint(f.error_code);
  if (!f.is_application) out.varint(f.frame_type);
  out.varint(f.reason.size());
  out.bytes(f.reason);
}
template <typename Out>
void lay_out(Out& out, const HandshakeDoneFrame&) {
  out.type(FrameType::handshake_done);
}

}  // namespace

std::size_t frame_size(const Frame& frame) {
  Counter counter;
  std::visit([&](const auto& f) { lay_out(counter, f); }, frame);
  return counter.size();
}

void write_frame(Writer& out, const Frame& frame) {
  Emitter emitter{out};
  std::visit([&](const auto& f) { lay_out(emitter, f); }, frame);
}

std::size_t stream_header_size(StreamId stream, ByteCount offset, std::size_t data_size, bool with_length) {
  return 1 + varint_size(stream) + (offset > 0 ? varint_size(offset) : 0) +
         (with_length ? varint_size(data_size) : 0);
}

void write_stream_header(Writer& out, StreamId stream, ByteCount offset, std::size_t data_size, bool fin,
                         bool with_length) {
  out.u8(static_cast<std::uint8_t>(stream_type(offset, fin, with_length)));
  out.varint(stream);
  if (offset > 0) out.varint(offset);
  if (with_length) out.varint(data_size);
}

std::size_t crypto_header_size(ByteCount offset, std::size_t data_size) {
  return 1 + varint_size(offset) + varint_size(data_size);
}

void write_crypto_header(Writer& out, ByteCount offset, std::size_t data_size) {
  out.u8(static_cast<std::uint8_t>(FrameType::crypto));
  out.varint(offset);
  out.varint(data_size);
}

}  // namespace quell
