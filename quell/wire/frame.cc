#include "quell/wire/frame.h"

#include "quell/base/check.h"
#include "quell/base/reader.h"

namespace quell {
namespace {

constexpr std::uint8_t I = 1;
constexpr std::uint8_t H = 2;
constexpr std::uint8_t Z = 4;  // 0-RTT
constexpr std::uint8_t O = 8;  // 1-RTT
constexpr std::uint8_t kStream = Z | O;

// RFC 9000 Table 3, the "Pkts" column, by type.
constexpr std::array<std::uint8_t, 0x1f> kAllowed{
    I | H | Z | O,  // PADDING
    I | H | Z | O,  // PING
    I | H | O,
    I | H | O,  // ACK
    Z | O,      // RESET_STREAM
    Z | O,      // STOP_SENDING
    I | H | O,  // CRYPTO
    O,          // NEW_TOKEN
    kStream,
    kStream,
    kStream,
    kStream,
    kStream,
    kStream,
    kStream,
    kStream,  // STREAM
    Z | O,    // MAX_DATA
    Z | O,    // MAX_STREAM_DATA
    Z | O,
    Z | O,  // MAX_STREAMS
    Z | O,  // DATA_BLOCKED
    Z | O,  // STREAM_DATA_BLOCKED
    Z | O,
    Z | O,          // STREAMS_BLOCKED
    Z | O,          // NEW_CONNECTION_ID
    Z | O,          // RETIRE_CONNECTION_ID
    Z | O,          // PATH_CHALLENGE
    O,              // PATH_RESPONSE
    I | H | Z | O,  // CONNECTION_CLOSE, transport
    Z | O,          // CONNECTION_CLOSE, application
    O,              // HANDSHAKE_DONE
};

constexpr std::uint8_t mask_of(PacketType packet) {
  switch (packet) {
    case PacketType::initial:
      return I;
    case PacketType::handshake:
      return H;
    case PacketType::zero_rtt:
      return Z;
    case PacketType::one_rtt:
      return O;
    case PacketType::retry:
    case PacketType::version_negotiation:
      return 0;  // they hold no frames
  }
  return 0;
}

}  // namespace

bool is_ack_eliciting(const Frame& frame) {
  return !std::holds_alternative<AckFrame>(frame) && !std::holds_alternative<PaddingFrame>(frame) &&
         !std::holds_alternative<ConnectionCloseFrame>(frame);
}

bool is_probing(const Frame& frame) {
  return std::holds_alternative<PathChallengeFrame>(frame) ||
         std::holds_alternative<PathResponseFrame>(frame) ||
         std::holds_alternative<NewConnectionIdFrame>(frame) || std::holds_alternative<PaddingFrame>(frame);
}

bool is_frame_allowed(FrameType type, PacketType packet) {
  const auto value = static_cast<std::uint64_t>(type);
  return value < kAllowed.size() && (kAllowed[value] & mask_of(packet)) != 0;
}

AckRanges::AckRanges(const AckFrame& frame)
    : encoded_(frame.encoded_ranges),
      left_(frame.range_count),
      largest_(frame.largest),
      smallest_(frame.largest - frame.first_range) {}

std::optional<AckRanges::Interval> AckRanges::next() {
  if (first_) {
    first_ = false;
    return Interval{smallest_, largest_};
  }
  if (left_ == 0) return std::nullopt;
  --left_;
  Reader reader{encoded_};
  const std::uint64_t gap = reader.varint();
  const std::uint64_t length = reader.varint();
  encoded_ = reader.rest();
  // read_frame has checked all of this; a frame made by hand may be wrong.
  QUELL_CHECK(reader.ok());
  QUELL_CHECK(smallest_ >= gap + 2);
  largest_ = smallest_ - gap - 2;
  QUELL_CHECK(largest_ >= length);
  smallest_ = largest_ - length;
  return Interval{smallest_, largest_};
}

}  // namespace quell
