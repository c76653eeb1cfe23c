#include "quell/wire/frame_reader.h"

#include <gtest/gtest.h>

#include <array>
#include <vector>

#include "quell/base/writer.h"

namespace quell {
namespace {

using Buffer = std::vector<std::uint8_t>;

Error error_of(const Buffer& payload, PacketType packet = PacketType::one_rtt) {
  Reader reader{payload};
  const auto frame = read_frame(reader, packet);
  EXPECT_FALSE(frame) << "this frame must not be accepted";
  return frame ? Error{TransportError::no_error, "accepted"} : frame.error();
}

TransportError code_of(const Buffer& payload, PacketType packet = PacketType::one_rtt) {
  return error_of(payload, packet).code;
}

bool is_read(const Buffer& payload) {
  Reader reader{payload};
  return read_frame(reader, PacketType::one_rtt).has_value();
}

// A type byte and integers behind it.
Buffer frame_of(std::uint8_t type, std::initializer_list<std::uint64_t> fields, const Buffer& tail = {}) {
  Buffer buffer(1 + 8 * fields.size() + tail.size());
  Writer writer{buffer};
  writer.u8(type);
  for (const std::uint64_t field : fields) writer.varint(field);
  writer.bytes(tail);
  buffer.resize(writer.position());
  return buffer;
}

constexpr std::uint64_t kMaxStreams = std::uint64_t{1} << 60;

TEST(FrameReader, RejectsUnknownTypes) {
  EXPECT_EQ(code_of({0x1f}), TransportError::frame_encoding_error);
  EXPECT_EQ(code_of({0x3f}), TransportError::frame_encoding_error);
  EXPECT_EQ(code_of({0x40, 0x40}), TransportError::frame_encoding_error);
  EXPECT_EQ(error_of({0x40, 0x52}).frame_type, 0x52U);
  EXPECT_EQ(code_of({0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}), TransportError::frame_encoding_error);
}

// RFC 9000 §12.4 names PROTOCOL_VIOLATION; its own example is a PING as 0x4001.
TEST(FrameReader, RejectsTypesInALongerEncodingThanNeeded) {
  EXPECT_EQ(code_of({0x40, 0x01}), TransportError::protocol_violation);
  EXPECT_EQ(code_of({0x80, 0x00, 0x00, 0x01}), TransportError::protocol_violation);
  EXPECT_EQ(code_of({0xc0, 0, 0, 0, 0, 0, 0, 0x01}), TransportError::protocol_violation);
  EXPECT_EQ(code_of({0x40, 0x3f}), TransportError::protocol_violation);
}

TEST(FrameReader, RejectsAMissingOrCutType) {
  EXPECT_EQ(code_of({}), TransportError::frame_encoding_error);
  EXPECT_EQ(code_of({0x40}), TransportError::frame_encoding_error);
}

TEST(FrameReader, RejectsAFrameThatItsPacketForbidsBeforeItsFields) {
  const Error error = error_of({0x0f}, PacketType::initial);
  EXPECT_EQ(error.code, TransportError::protocol_violation);
  EXPECT_EQ(error.frame_type, 0x0fU);
  EXPECT_EQ(code_of({0x02, 0, 0, 0, 0}, PacketType::zero_rtt), TransportError::protocol_violation);
}

TEST(FrameReader, RejectsMoreThanTwoToThe60Streams) {
  for (const std::uint8_t type : Buffer{0x12, 0x13, 0x16, 0x17}) {
    EXPECT_TRUE(is_read(frame_of(type, {kMaxStreams})));
    EXPECT_EQ(code_of(frame_of(type, {kMaxStreams + 1})), TransportError::frame_encoding_error);
    EXPECT_EQ(error_of(frame_of(type, {kMaxStreams + 1})).frame_type, type);
  }
}

TEST(FrameReader, RejectsAnEmptyToken) {
  EXPECT_EQ(code_of({0x07, 0x00}), TransportError::frame_encoding_error);
  EXPECT_TRUE(is_read({0x07, 0x01, 0x00}));
}

TEST(FrameReader, RejectsNewConnectionIdsOfImpossibleLength) {
  for (const std::size_t size : {0, 21, 255}) {
    Buffer tail{static_cast<std::uint8_t>(size)};
    tail.resize(1 + size + 16);
    EXPECT_EQ(code_of(frame_of(0x18, {1, 0}, tail)), TransportError::frame_encoding_error) << size;
  }
  for (const std::size_t size : {1, 20}) {
    Buffer tail{static_cast<std::uint8_t>(size)};
    tail.resize(1 + size + 16);
    EXPECT_TRUE(is_read(frame_of(0x18, {1, 0}, tail))) << size;
  }
}

TEST(FrameReader, RejectsRetirePriorToAboveTheSequence) {
  Buffer tail(1 + 4 + 16);
  tail[0] = 4;
  EXPECT_TRUE(is_read(frame_of(0x18, {5, 5}, tail)));
  EXPECT_EQ(code_of(frame_of(0x18, {5, 6}, tail)), TransportError::frame_encoding_error);
}

TEST(FrameReader, RejectsDataBeyondTheLargestOffset) {
  EXPECT_TRUE(is_read(frame_of(0x0e, {0, kVarintMax - 2, 2}, {1, 2})));
  EXPECT_EQ(code_of(frame_of(0x0e, {0, kVarintMax - 1, 2}, {1, 2})), TransportError::frame_encoding_error);
  EXPECT_EQ(code_of(frame_of(0x0c, {0, kVarintMax - 1}, {1, 2})), TransportError::frame_encoding_error);
  EXPECT_TRUE(is_read(frame_of(0x0e, {0, kVarintMax, 0})));
  EXPECT_TRUE(is_read(frame_of(0x06, {kVarintMax - 2, 2}, {1, 2})));
  EXPECT_EQ(code_of(frame_of(0x06, {kVarintMax - 1, 2}, {1, 2})), TransportError::frame_encoding_error);
}

TEST(FrameReader, RejectsALengthBeyondThePayload) {
  EXPECT_EQ(code_of(frame_of(0x0a, {0, kVarintMax}, {1, 2})), TransportError::frame_encoding_error);
  EXPECT_EQ(code_of(frame_of(0x06, {0, kVarintMax}, {1, 2})), TransportError::frame_encoding_error);
  EXPECT_EQ(code_of(frame_of(0x1c, {0, 0, kVarintMax}, {1, 2})), TransportError::frame_encoding_error);
}

// RFC 9000 §19.3.1: a computed packet number below zero.
TEST(FrameReader, RejectsAcksThatReachBelowZero) {
  EXPECT_TRUE(is_read(frame_of(0x02, {10, 0, 0, 10})));
  EXPECT_EQ(code_of(frame_of(0x02, {10, 0, 0, 11})), TransportError::frame_encoding_error);
  // 9–10, then a gap of two (8 and 7), then 6 down to 0.
  EXPECT_TRUE(is_read(frame_of(0x02, {10, 0, 1, 1, 1, 6})));
  EXPECT_EQ(code_of(frame_of(0x02, {10, 0, 1, 1, 1, 7})), TransportError::frame_encoding_error);
  // The gap alone: the next range's largest is 9 − gap − 2.
  EXPECT_TRUE(is_read(frame_of(0x02, {10, 0, 1, 1, 7, 0})));
  EXPECT_EQ(code_of(frame_of(0x02, {10, 0, 1, 1, 8, 0})), TransportError::frame_encoding_error);
  EXPECT_EQ(code_of(frame_of(0x02, {10, 0, 1, 1, kVarintMax, 0})), TransportError::frame_encoding_error);
}

TEST(FrameReader, EndsAForgedRangeCountWithThePayload) {
  EXPECT_EQ(code_of(frame_of(0x02, {kVarintMax, 0, kVarintMax, 0, 0, 0})),
            TransportError::frame_encoding_error);
}

TEST(FrameReader, NoticesACutInAnAckAtEveryByte) {
  for (const std::uint8_t type : Buffer{0x02, 0x03}) {
    Buffer payload = frame_of(type, {1000, 70, 2, 5, 64, 3, 1, 100});
    if (type == 0x03) payload.insert(payload.end(), {0x01, 0x40, 0x80, 0x03});
    EXPECT_TRUE(is_read(payload));
    for (std::size_t cut = 1; cut < payload.size(); ++cut) {
      const Buffer shortened(payload.begin(), payload.begin() + static_cast<std::ptrdiff_t>(cut));
      EXPECT_EQ(code_of(shortened), TransportError::frame_encoding_error) << cut;
    }
  }
}

TEST(FrameReader, ReadsAnAckWithEcnCounts) {
  const Buffer payload = frame_of(0x03, {1000, 70, 1, 5, 64, 3, 7, 8, 9});
  Reader reader{payload};
  const auto frame = read_frame(reader, PacketType::handshake);
  ASSERT_TRUE(frame);
  const auto& ack = std::get<AckFrame>(*frame);
  EXPECT_EQ(ack.largest, 1000U);
  EXPECT_EQ(ack.raw_delay, 70U);
  EXPECT_EQ(ack.range_count, 1U);
  EXPECT_EQ(ack.first_range, 5U);
  EXPECT_EQ(ack.ecn, (EcnCounts{.ect0 = 7, .ect1 = 8, .ce = 9}));
  EXPECT_TRUE(reader.empty());
}

}  // namespace
}  // namespace quell
