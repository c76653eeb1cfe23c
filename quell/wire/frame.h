// What may stand inside a packet? Every frame of RFC 9000 §19 as a plain value; views point into the packet.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <variant>

#include "quell/base/units.h"
#include "quell/wire/connection_id.h"
#include "quell/wire/types.h"

namespace quell {

// RFC 9000 Table 3. STREAM is 0x08–0x0f with OFF 0x04, LEN 0x02, FIN 0x01.
enum class FrameType : std::uint64_t {
  padding = 0x00,
  ping = 0x01,
  ack = 0x02,
  ack_ecn = 0x03,
  reset_stream = 0x04,
  stop_sending = 0x05,
  crypto = 0x06,
  new_token = 0x07,
  stream = 0x08,
  max_data = 0x10,
  max_stream_data = 0x11,
  max_streams_bidi = 0x12,
  max_streams_uni = 0x13,
  data_blocked = 0x14,
  stream_data_blocked = 0x15,
  streams_blocked_bidi = 0x16,
  streams_blocked_uni = 0x17,
  new_connection_id = 0x18,
  retire_connection_id = 0x19,
  path_challenge = 0x1a,
  path_response = 0x1b,
  connection_close = 0x1c,
  connection_close_application = 0x1d,
  handshake_done = 0x1e,
};

struct PaddingFrame {
  std::uint64_t size = 1;  // consecutive PADDING bytes, read as one
};
struct PingFrame {};
// RFC 9000 §19.3. Ranges are kept encoded (validated by the reader) and walked, largest first, with
// `AckRanges`: no copy, and no memory that a peer could make grow.
struct AckFrame {
  PacketNumber largest = 0;
  // As on the wire, before ack_delay_exponent is applied.
  std::uint64_t raw_delay = 0;
  std::uint64_t first_range = 0;  // packets before `largest` in the first range
  std::uint64_t range_count = 0;  // further ranges in `encoded_ranges`
  Bytes encoded_ranges{};
  std::optional<EcnCounts> ecn{};
};
struct ResetStreamFrame {
  StreamId stream = 0;
  std::uint64_t error_code = 0;
  ByteCount final_size = 0;
};
struct StopSendingFrame {
  StreamId stream = 0;
  std::uint64_t error_code = 0;
};
struct CryptoFrame {
  ByteCount offset = 0;
  Bytes data{};
};
struct NewTokenFrame {
  Bytes token{};
};
struct StreamFrame {
  StreamId stream = 0;
  ByteCount offset = 0;
  bool fin = false;
  Bytes data{};
};
struct MaxDataFrame {
  ByteCount maximum = 0;
};
struct MaxStreamDataFrame {
  StreamId stream = 0;
  ByteCount maximum = 0;
};
struct MaxStreamsFrame {
  StreamKind kind = StreamKind::bidi;
  std::uint64_t maximum = 0;
};
struct DataBlockedFrame {
  ByteCount limit = 0;
};
struct StreamDataBlockedFrame {
  StreamId stream = 0;
  ByteCount limit = 0;
};
struct StreamsBlockedFrame {
  StreamKind kind = StreamKind::bidi;
  std::uint64_t limit = 0;
};
struct NewConnectionIdFrame {
  std::uint64_t sequence = 0;
  std::uint64_t retire_prior_to = 0;
  ConnectionId id{};
  StatelessResetToken reset_token{};
};
struct RetireConnectionIdFrame {
  std::uint64_t sequence = 0;
};
using PathData = std::array<std::uint8_t, 8>;
struct PathChallengeFrame {
  PathData data{};
};
struct PathResponseFrame {
  PathData data{};
};
struct ConnectionCloseFrame {
  bool is_application = false;
  std::uint64_t error_code = 0;
  std::uint64_t frame_type = 0;  // transport closes only
  Bytes reason{};
};
struct HandshakeDoneFrame {};

using Frame = std::variant<PaddingFrame, PingFrame, AckFrame, ResetStreamFrame, StopSendingFrame, CryptoFrame,
                           NewTokenFrame, StreamFrame, MaxDataFrame, MaxStreamDataFrame, MaxStreamsFrame,
                           DataBlockedFrame, StreamDataBlockedFrame, StreamsBlockedFrame,
                           NewConnectionIdFrame, RetireConnectionIdFrame, PathChallengeFrame,
                           PathResponseFrame, ConnectionCloseFrame, HandshakeDoneFrame>;

// RFC 9000 §13.2.1: everything but ACK, PADDING and CONNECTION_CLOSE asks for an acknowledgement.
bool is_ack_eliciting(const Frame& frame);
// RFC 9000 §9.1: PATH_CHALLENGE, PATH_RESPONSE, NEW_CONNECTION_ID and PADDING.
bool is_probing(const Frame& frame);

// The table of what is legal where (RFC 9000 Table 3, §12.4 and §12.5).
bool is_frame_allowed(FrameType type, PacketType packet);

// Walks the ranges of an ACK frame, largest first, as closed intervals.
class AckRanges {
 public:
  explicit AckRanges(const AckFrame& frame);
  struct Interval {
    PacketNumber smallest = 0;
    PacketNumber largest = 0;
  };
  // Nothing after the last one.
  std::optional<Interval> next();

 private:
  Bytes encoded_;
  std::uint64_t left_;
  PacketNumber largest_;
  PacketNumber smallest_;
  bool first_ = true;
};

}  // namespace quell
