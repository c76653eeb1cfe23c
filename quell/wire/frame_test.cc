#include "quell/wire/frame.h"

#include <gtest/gtest.h>

#include <array>
#include <string_view>
#include <vector>

namespace quell {
namespace {

struct Row {
  std::uint64_t first;
  std::uint64_t last;
  std::string_view packets;  // as RFC 9000 Table 3 prints them; "ih01" is split into its two types
};

// RFC 9000 Table 3, copied row by row.
constexpr std::array<Row, 23> kTable3{{
    {0x00, 0x00, "IH01"},  // PADDING
    {0x01, 0x01, "IH01"},  // PING
    {0x02, 0x03, "IH_1"},  // ACK
    {0x04, 0x04, "__01"},  // RESET_STREAM
    {0x05, 0x05, "__01"},  // STOP_SENDING
    {0x06, 0x06, "IH_1"},  // CRYPTO
    {0x07, 0x07, "___1"},  // NEW_TOKEN
    {0x08, 0x0f, "__01"},  // STREAM
    {0x10, 0x10, "__01"},  // MAX_DATA
    {0x11, 0x11, "__01"},  // MAX_STREAM_DATA
    {0x12, 0x13, "__01"},  // MAX_STREAMS
    {0x14, 0x14, "__01"},  // DATA_BLOCKED
    {0x15, 0x15, "__01"},  // STREAM_DATA_BLOCKED
    {0x16, 0x17, "__01"},  // STREAMS_BLOCKED
    {0x18, 0x18, "__01"},  // NEW_CONNECTION_ID
    {0x19, 0x19, "__01"},  // RETIRE_CONNECTION_ID
    {0x1a, 0x1a, "__01"},  // PATH_CHALLENGE
    {0x1b, 0x1b, "___1"},  // PATH_RESPONSE
    {0x1c, 0x1c, "IH01"},  // CONNECTION_CLOSE of the transport
    {0x1d, 0x1d, "__01"},  // CONNECTION_CLOSE of the application
    {0x1e, 0x1e, "___1"},  // HANDSHAKE_DONE
    {0x1f, 0x3f, "____"},  // not defined
    {0x40, 0x80, "____"},  // not defined
}};

TEST(FrameLegality, IsThatOfTable3RowByRow) {
  std::uint64_t next = 0;
  for (const Row& row : kTable3) {
    ASSERT_EQ(row.first, next) << "the table has a hole";
    for (std::uint64_t value = row.first; value <= row.last; ++value) {
      const auto type = static_cast<FrameType>(value);
      EXPECT_EQ(is_frame_allowed(type, PacketType::initial), row.packets[0] == 'I') << value;
      EXPECT_EQ(is_frame_allowed(type, PacketType::handshake), row.packets[1] == 'H') << value;
      EXPECT_EQ(is_frame_allowed(type, PacketType::zero_rtt), row.packets[2] == '0') << value;
      EXPECT_EQ(is_frame_allowed(type, PacketType::one_rtt), row.packets[3] == '1') << value;
    }
    next = row.last + 1;
  }
}

TEST(FrameLegality, AllowsNothingInPacketsWithoutFrames) {
  for (std::uint64_t value = 0; value <= 0x1e; ++value) {
    EXPECT_FALSE(is_frame_allowed(static_cast<FrameType>(value), PacketType::retry));
    EXPECT_FALSE(is_frame_allowed(static_cast<FrameType>(value), PacketType::version_negotiation));
  }
}

// One of each, in the order of the variant.
const std::vector<Frame> kOneOfEach{PaddingFrame{},
                                    PingFrame{},
                                    AckFrame{},
                                    ResetStreamFrame{},
                                    StopSendingFrame{},
                                    CryptoFrame{},
                                    NewTokenFrame{},
                                    StreamFrame{},
                                    MaxDataFrame{},
                                    MaxStreamDataFrame{},
                                    MaxStreamsFrame{},
                                    DataBlockedFrame{},
                                    StreamDataBlockedFrame{},
                                    StreamsBlockedFrame{},
                                    NewConnectionIdFrame{},
                                    RetireConnectionIdFrame{},
                                    PathChallengeFrame{},
                                    PathResponseFrame{},
                                    ConnectionCloseFrame{},
                                    HandshakeDoneFrame{}};

// Marked "N" in Table 3: PADDING, ACK, CONNECTION_CLOSE.
TEST(Frame, AsksForAnAckUnlessMarkedNInTable3) {
  ASSERT_EQ(kOneOfEach.size(), std::variant_size_v<Frame>);
  for (const Frame& frame : kOneOfEach) {
    const bool marked = std::holds_alternative<PaddingFrame>(frame) ||
                        std::holds_alternative<AckFrame>(frame) ||
                        std::holds_alternative<ConnectionCloseFrame>(frame);
    EXPECT_EQ(is_ack_eliciting(frame), !marked) << frame.index();
  }
}

// Marked "P" in Table 3: PADDING, NEW_CONNECTION_ID, PATH_CHALLENGE, PATH_RESPONSE.
TEST(Frame, ProbesWhenMarkedPInTable3) {
  for (const Frame& frame : kOneOfEach) {
    const bool marked =
        std::holds_alternative<PaddingFrame>(frame) || std::holds_alternative<NewConnectionIdFrame>(frame) ||
        std::holds_alternative<PathChallengeFrame>(frame) || std::holds_alternative<PathResponseFrame>(frame);
    EXPECT_EQ(is_probing(frame), marked) << frame.index();
  }
}

// RFC 9000 §19.3.1: largest = previous smallest − gap − 2; smallest = largest − length.
TEST(AckRanges, WalksFromTheLargestDown) {
  const std::array<std::uint8_t, 5> encoded{0x00, 0x02, 0x40, 0x64, 0x00};
  const AckFrame ack{.largest = 1000, .first_range = 10, .range_count = 2, .encoded_ranges = encoded};
  AckRanges ranges{ack};
  const auto first = ranges.next();
  ASSERT_TRUE(first);
  EXPECT_EQ(first->largest, 1000U);
  EXPECT_EQ(first->smallest, 990U);
  const auto second = ranges.next();
  ASSERT_TRUE(second);
  EXPECT_EQ(second->largest, 988U);
  EXPECT_EQ(second->smallest, 986U);
  const auto third = ranges.next();
  ASSERT_TRUE(third);
  EXPECT_EQ(third->largest, 884U);
  EXPECT_EQ(third->smallest, 884U);
  EXPECT_FALSE(ranges.next());
  EXPECT_FALSE(ranges.next());
}

TEST(AckRanges, GivesOneIntervalWhenThereAreNoFurtherRanges) {
  const AckFrame ack{.largest = 0};
  AckRanges ranges{ack};
  EXPECT_EQ(ranges.next()->largest, 0U);
  EXPECT_FALSE(ranges.next());
}

}  // namespace
}  // namespace quell
