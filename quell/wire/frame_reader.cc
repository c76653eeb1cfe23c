#include "quell/wire/frame_reader.h"

#include <algorithm>

#include "quell/base/varint.h"

namespace quell {
namespace {

constexpr std::uint64_t kMaxStreams = std::uint64_t{1} << 60;  // RFC 9000 §4.6

std::unexpected<Error> malformed(FrameType type, std::string_view reason) {
  return fail(TransportError::frame_encoding_error, reason, static_cast<std::uint64_t>(type));
}
std::unexpected<Error> truncated(FrameType type) {
  return malformed(type, "frame is truncated");
}

template <typename T>
Result<Frame> complete(const Reader& in, FrameType type, T frame) {
  if (!in.ok()) return truncated(type);
  return frame;
}

template <std::size_t N>
std::array<std::uint8_t, N> read_array(Reader& in) {
  std::array<std::uint8_t, N> out{};
  const Bytes view = in.bytes(N);
  std::copy(view.begin(), view.end(), out.begin());
  return out;
}

// §19.1. A run is one frame, so that a padded packet costs one turn of the caller's loop.
Result<Frame> read_padding(Reader& in) {
  const Bytes rest = in.rest();
  const auto end = std::find_if(rest.begin(), rest.end(), [](std::uint8_t byte) { return byte != 0; });
  const auto more = static_cast<std::uint64_t>(end - rest.begin());
  in.skip(more);
  return PaddingFrame{1 + more};
}

// §19.3.1: every range must end at zero or above. Each turn takes two bytes or more, so that a forged count
// ends with the payload.
bool skip_ack_ranges(Reader& in, std::uint64_t count, PacketNumber smallest) {
  for (; count > 0; --count) {
    const std::uint64_t gap = in.varint();
    const std::uint64_t length = in.varint();
    if (!in.ok()) return true;  // the caller says truncated
    if (smallest < gap + 2) return false;
    const PacketNumber largest = smallest - gap - 2;
    if (largest < length) return false;
    smallest = largest - length;
  }
  return true;
}

Result<Frame> read_ack(Reader& in, FrameType type) {
  AckFrame ack;
  ack.largest = in.varint();
  ack.raw_delay = in.varint();
  ack.range_count = in.varint();
  ack.first_range = in.varint();
  if (!in.ok()) return truncated(type);
  if (ack.first_range > ack.largest) return malformed(type, "ACK reaches below packet number zero");
  const Bytes ranges = in.rest();
  const std::size_t start = in.position();
  if (!skip_ack_ranges(in, ack.range_count, ack.largest - ack.first_range)) {
    return malformed(type, "ACK reaches below packet number zero");
  }
  if (!in.ok()) return truncated(type);
  ack.encoded_ranges = ranges.first(in.position() - start);
  if (type == FrameType::ack_ecn) {
    EcnCounts counts;
    counts.ect0 = in.varint();
    counts.ect1 = in.varint();
    counts.ce = in.varint();
    ack.ecn = counts;
  }
  return complete(in, type, ack);
}

// §19.8. Without the LEN bit the data reaches to the end of the packet.
Result<Frame> read_stream(Reader& in, FrameType type) {
  const auto bits = static_cast<std::uint64_t>(type);
  StreamFrame stream;
  stream.stream = in.varint();
  if ((bits & 0x04) != 0) stream.offset = in.varint();
  stream.fin = (bits & 0x01) != 0;
  stream.data = in.bytes((bits & 0x02) != 0 ? in.varint() : in.remaining());
  if (!in.ok()) return truncated(type);
  if (stream.data.size() > kVarintMax - stream.offset) return malformed(type, "STREAM ends beyond 2^62-1");
  return stream;
}

Result<Frame> read_crypto(Reader& in) {
  CryptoFrame crypto;
  crypto.offset = in.varint();
  crypto.data = in.bytes(in.varint());
  if (!in.ok()) return truncated(FrameType::crypto);
  if (crypto.data.size() > kVarintMax - crypto.offset) {
    return malformed(FrameType::crypto, "CRYPTO ends beyond 2^62-1");
  }
  return crypto;
}

Result<Frame> read_new_token(Reader& in) {
  NewTokenFrame frame;
  frame.token = in.bytes(in.varint());
  if (!in.ok()) return truncated(FrameType::new_token);
  if (frame.token.empty()) return malformed(FrameType::new_token, "NEW_TOKEN is empty");
  return frame;
}

Result<Frame> read_reset_stream(Reader& in) {
  ResetStreamFrame frame;
  frame.stream = in.varint();
  frame.error_code = in.varint();
  frame.final_size = in.varint();
  return complete(in, FrameType::reset_stream, frame);
}

Result<Frame> read_stop_sending(Reader& in) {
  StopSendingFrame frame;
  frame.stream = in.varint();
  frame.error_code = in.varint();
  return complete(in, FrameType::stop_sending, frame);
}

Result<Frame> read_max_stream_data(Reader& in) {
  MaxStreamDataFrame frame;
  frame.stream = in.varint();
  frame.maximum = in.varint();
  return complete(in, FrameType::max_stream_data, frame);
}

Result<Frame> read_stream_data_blocked(Reader& in) {
  StreamDataBlockedFrame frame;
  frame.stream = in.varint();
  frame.limit = in.varint();
  return complete(in, FrameType::stream_data_blocked, frame);
}

// §19.11, §19.14: a stream ID could not express more than 2^60 streams.
Result<Frame> read_max_streams(Reader& in, FrameType type) {
  MaxStreamsFrame frame;
  frame.kind = type == FrameType::max_streams_bidi ? StreamKind::bidi : StreamKind::uni;
  frame.maximum = in.varint();
  if (frame.maximum > kMaxStreams) return malformed(type, "MAX_STREAMS above 2^60");
  return complete(in, type, frame);
}

Result<Frame> read_streams_blocked(Reader& in, FrameType type) {
  StreamsBlockedFrame frame;
  frame.kind = type == FrameType::streams_blocked_bidi ? StreamKind::bidi : StreamKind::uni;
  frame.limit = in.varint();
  if (frame.limit > kMaxStreams) return malformed(type, "STREAMS_BLOCKED above 2^60");
  return complete(in, type, frame);
}

Result<Frame> read_new_connection_id(Reader& in) {
  constexpr FrameType kType = FrameType::new_connection_id;
  NewConnectionIdFrame frame;
  frame.sequence = in.varint();
  frame.retire_prior_to = in.varint();
  const std::uint8_t size = in.u8();
  if (!in.ok()) return truncated(kType);
  if (size < 1 || size > ConnectionId::kMaxSize)
    return malformed(kType, "connection ID is not 1 to 20 bytes");
  if (frame.retire_prior_to > frame.sequence) return malformed(kType, "Retire Prior To exceeds the sequence");
  frame.id = ConnectionId{in.bytes(size)};
  frame.reset_token = read_array<16>(in);
  return complete(in, kType, frame);
}

Result<Frame> read_connection_close(Reader& in, FrameType type) {
  ConnectionCloseFrame frame;
  frame.is_application = type == FrameType::connection_close_application;
  frame.error_code = in.varint();
  if (!frame.is_application) frame.frame_type = in.varint();
  frame.reason = in.bytes(in.varint());
  return complete(in, type, frame);
}

// Everything but STREAM and ACK, which read_frame takes first.
Result<Frame> read_rarer_frame(Reader& in, FrameType type) {
  switch (type) {
    case FrameType::padding:
      return read_padding(in);
    case FrameType::ping:
      return PingFrame{};
    case FrameType::reset_stream:
      return read_reset_stream(in);
    case FrameType::stop_sending:
      return read_stop_sending(in);
    case FrameType::crypto:
      return read_crypto(in);
    case FrameType::new_token:
      return read_new_token(in);
    case FrameType::max_data:
      return complete(in, type, MaxDataFrame{in.varint()});
    case FrameType::max_stream_data:
      return read_max_stream_data(in);
    case FrameType::max_streams_bidi:
    case FrameType::max_streams_uni:
      return read_max_streams(in, type);
    case FrameType::data_blocked:
      return complete(in, type, DataBlockedFrame{in.varint()});
    case FrameType::stream_data_blocked:
      return read_stream_data_blocked(in);
    case FrameType::streams_blocked_bidi:
    case FrameType::streams_blocked_uni:
      return read_streams_blocked(in, type);
    case FrameType::new_connection_id:
      return read_new_connection_id(in);
    case FrameType::retire_connection_id:
      return complete(in, type, RetireConnectionIdFrame{in.varint()});
    case FrameType::path_challenge:
      return complete(in, type, PathChallengeFrame{read_array<8>(in)});
    case FrameType::path_response:
      return complete(in, type, PathResponseFrame{read_array<8>(in)});
    case FrameType::connection_close:
    case FrameType::connection_close_application:
      return read_connection_close(in, type);
    case FrameType::handshake_done:
      return HandshakeDoneFrame{};
    default:
      return malformed(type, "frame type is unknown");
  }
}

}  // namespace

Result<Frame> read_frame(Reader& payload, PacketType packet) {
  const std::size_t start = payload.position();
  const std::uint64_t value = payload.varint();
  const auto type = static_cast<FrameType>(value);
  if (!payload.ok()) return fail(TransportError::frame_encoding_error, "frame type is truncated");
  if (payload.position() - start != varint_size(value)) {
    return fail(TransportError::protocol_violation, "frame type is not in its shortest encoding", value);
  }
  if (value > static_cast<std::uint64_t>(FrameType::handshake_done)) {
    return malformed(type, "frame type is unknown");
  }
  if (!is_frame_allowed(type, packet)) {
    return fail(TransportError::protocol_violation, "frame is forbidden in this packet type", value);
  }
  if (value >= 0x08 && value <= 0x0f) return read_stream(payload, type);
  if (type == FrameType::ack || type == FrameType::ack_ecn) return read_ack(payload, type);
  return read_rarer_frame(payload, type);
}

}  // namespace quell
