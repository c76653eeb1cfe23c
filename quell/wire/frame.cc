#include "quell/wire/frame.h"

#include "quell/base/check.h"
#include "quell/base/reader.h"

namespace quell {
namespace {

constexpr std::uint8_t I = 1;
constexpr std::uint8_t H = 2;
constexpr std::uint8_t Z = 4;  // 0-RTT
constexpr std::uint8_t O = 8;  // 1-RTT

struct Row {
  FrameType first;
  FrameType last;
  std::uint8_t packets;
};
constexpr Row row(FrameType type, int packets) {
  return {type, type, static_cast<std::uint8_t>(packets)};
}
constexpr Row rows(FrameType first, FrameType last, int packets) {
  return {first, last, static_cast<std::uint8_t>(packets)};
}

// RFC 9000 Table 3, the "Pkts" column. §12.5 adds that no client can have a reason for RETIRE_CONNECTION_ID
// in 0-RTT, and leaves it to us to object. Choice: the table stands; such a frame names a sequence number
// that was never issued.
constexpr Row kTable[] = {
    row(FrameType::padding, I | H | Z | O),
    row(FrameType::ping, I | H | Z | O),
    rows(FrameType::ack, FrameType::ack_ecn, I | H | O),
    row(FrameType::reset_stream, Z | O),
    row(FrameType::stop_sending, Z | O),
    row(FrameType::crypto, I | H | O),
    row(FrameType::new_token, O),
    rows(FrameType::stream, FrameType{0x0f}, Z | O),
    row(FrameType::max_data, Z | O),
    row(FrameType::max_stream_data, Z | O),
    rows(FrameType::max_streams_bidi, FrameType::max_streams_uni, Z | O),
    row(FrameType::data_blocked, Z | O),
    row(FrameType::stream_data_blocked, Z | O),
    rows(FrameType::streams_blocked_bidi, FrameType::streams_blocked_uni, Z | O),
    row(FrameType::new_connection_id, Z | O),
    row(FrameType::retire_connection_id, Z | O),
    row(FrameType::path_challenge, Z | O),
    row(FrameType::path_response, O),
    row(FrameType::connection_close, I | H | Z | O),
    row(FrameType::connection_close_application, Z | O),
    row(FrameType::handshake_done, O),
};

// The same by type, so that the hot path looks up instead of searching.
constexpr std::array<std::uint8_t, 0x1f> kAllowed = [] {
  std::array<std::uint8_t, 0x1f> allowed{};
  for (const Row& r : kTable) {
    for (auto t = static_cast<std::size_t>(r.first); t <= static_cast<std::size_t>(r.last); ++t) {
      allowed[t] = r.packets;
    }
  }
  return allowed;
}();

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
