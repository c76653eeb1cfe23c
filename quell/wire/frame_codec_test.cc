// Do reader and writer agree with the layouts of RFC 9000 §19, and is every cut frame noticed? Every sample's
// bytes are laid out by hand from the RFC's figures.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "quell/wire/frame_reader.h"
#include "quell/wire/frame_writer.h"

namespace quell {
namespace {

using Buffer = std::vector<std::uint8_t>;

struct Sample {
  std::string name;
  Buffer encoded;
  Frame frame;
};

const Buffer kData{0xd0, 0xd1, 0xd2, 0xd3};
constexpr PathData kPathData{1, 2, 3, 4, 5, 6, 7, 8};
constexpr StatelessResetToken kResetToken{0xf0, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7,
                                          0xf8, 0xf9, 0xfa, 0xfb, 0xfc, 0xfd, 0xfe, 0xff};

// A distinct number in each field, of distinct encoded sizes, so that no two may be exchanged unseen.
std::vector<Sample> samples() {
  Buffer new_connection_id{0x18, 0x41, 0x00, 0x07, 0x03, 0xc1, 0xc2, 0xc3};
  new_connection_id.insert(new_connection_id.end(), kResetToken.begin(), kResetToken.end());
  return {
      {"PING", {0x01}, PingFrame{}},
      {"RESET_STREAM", {0x04, 0x04, 0x41, 0x00, 0x80, 0x01, 0x00, 0x00}, ResetStreamFrame{4, 256, 65536}},
      {"STOP_SENDING", {0x05, 0x08, 0x41, 0x01}, StopSendingFrame{8, 257}},
      {"CRYPTO", {0x06, 0x41, 0x00, 0x04, 0xd0, 0xd1, 0xd2, 0xd3}, CryptoFrame{256, kData}},
      {"CRYPTO empty", {0x06, 0x00, 0x00}, CryptoFrame{}},
      {"NEW_TOKEN", {0x07, 0x04, 0xd0, 0xd1, 0xd2, 0xd3}, NewTokenFrame{kData}},
      {"STREAM", {0x0a, 0x05, 0x04, 0xd0, 0xd1, 0xd2, 0xd3}, StreamFrame{5, 0, false, kData}},
      {"STREAM FIN", {0x0b, 0x05, 0x00}, StreamFrame{5, 0, true, {}}},
      {"STREAM OFF",
       {0x0e, 0x05, 0x41, 0x00, 0x04, 0xd0, 0xd1, 0xd2, 0xd3},
       StreamFrame{5, 256, false, kData}},
      {"STREAM OFF FIN",
       {0x0f, 0x05, 0x41, 0x00, 0x04, 0xd0, 0xd1, 0xd2, 0xd3},
       StreamFrame{5, 256, true, kData}},
      {"MAX_DATA", {0x10, 0x80, 0x01, 0x00, 0x00}, MaxDataFrame{65536}},
      {"MAX_STREAM_DATA", {0x11, 0x07, 0x80, 0x01, 0x00, 0x00}, MaxStreamDataFrame{7, 65536}},
      {"MAX_STREAMS bidi", {0x12, 0x41, 0x00}, MaxStreamsFrame{StreamKind::bidi, 256}},
      {"MAX_STREAMS uni",
       {0x13, 0xd0, 0, 0, 0, 0, 0, 0, 0},
       MaxStreamsFrame{StreamKind::uni, std::uint64_t{1} << 60}},
      {"DATA_BLOCKED", {0x14, 0x80, 0x01, 0x00, 0x00}, DataBlockedFrame{65536}},
      {"STREAM_DATA_BLOCKED", {0x15, 0x07, 0x80, 0x01, 0x00, 0x00}, StreamDataBlockedFrame{7, 65536}},
      {"STREAMS_BLOCKED bidi",
       {0x16, 0xd0, 0, 0, 0, 0, 0, 0, 0},
       StreamsBlockedFrame{StreamKind::bidi, std::uint64_t{1} << 60}},
      {"STREAMS_BLOCKED uni", {0x17, 0x41, 0x00}, StreamsBlockedFrame{StreamKind::uni, 256}},
      {"NEW_CONNECTION_ID", new_connection_id,
       NewConnectionIdFrame{256, 7, ConnectionId{Buffer{0xc1, 0xc2, 0xc3}}, kResetToken}},
      {"RETIRE_CONNECTION_ID", {0x19, 0x41, 0x00}, RetireConnectionIdFrame{256}},
      {"PATH_CHALLENGE", {0x1a, 1, 2, 3, 4, 5, 6, 7, 8}, PathChallengeFrame{kPathData}},
      {"PATH_RESPONSE", {0x1b, 1, 2, 3, 4, 5, 6, 7, 8}, PathResponseFrame{kPathData}},
      {"CONNECTION_CLOSE",
       {0x1c, 0x41, 0x28, 0x06, 0x04, 0xd0, 0xd1, 0xd2, 0xd3},
       ConnectionCloseFrame{false, 0x128, 6, kData}},
      {"CONNECTION_CLOSE application",
       {0x1d, 0x41, 0x28, 0x04, 0xd0, 0xd1, 0xd2, 0xd3},
       ConnectionCloseFrame{true, 0x128, 0, kData}},
      {"HANDSHAKE_DONE", {0x1e}, HandshakeDoneFrame{}},
  };
}

Buffer written(const Frame& frame) {
  Buffer buffer(frame_size(frame));
  Writer writer{buffer};
  write_frame(writer, frame);
  EXPECT_EQ(writer.remaining(), 0U) << "frame_size is not exact";
  return buffer;
}

TEST(FrameCodec, WritesEveryFrameAsLaidOutInTheRfc) {
  for (const Sample& sample : samples()) EXPECT_EQ(written(sample.frame), sample.encoded) << sample.name;
}

TEST(FrameCodec, ReadsEveryFrameAsLaidOutInTheRfc) {
  for (const Sample& sample : samples()) {
    Reader reader{sample.encoded};
    const auto frame = read_frame(reader, PacketType::one_rtt);
    ASSERT_TRUE(frame) << sample.name;
    EXPECT_EQ(frame->index(), sample.frame.index()) << sample.name;
    EXPECT_TRUE(reader.empty()) << sample.name;
    EXPECT_EQ(written(*frame), sample.encoded) << sample.name;
  }
}

TEST(FrameCodec, NoticesACutAtEveryByte) {
  for (const Sample& sample : samples()) {
    for (std::size_t cut = 1; cut < sample.encoded.size(); ++cut) {
      Reader reader{Bytes{sample.encoded}.first(cut)};
      const auto frame = read_frame(reader, PacketType::one_rtt);
      ASSERT_FALSE(frame) << sample.name << " cut at " << cut;
      EXPECT_EQ(frame.error().code, TransportError::frame_encoding_error) << sample.name << " cut at " << cut;
      EXPECT_EQ(frame.error().frame_type, sample.encoded[0]) << sample.name << " cut at " << cut;
    }
  }
}

TEST(FrameCodec, LeavesTheReaderAtTheNextFrame) {
  Buffer payload;
  const auto all = samples();
  for (const Sample& sample : all)
    payload.insert(payload.end(), sample.encoded.begin(), sample.encoded.end());
  Reader reader{payload};
  for (const Sample& sample : all) {
    const auto frame = read_frame(reader, PacketType::one_rtt);
    ASSERT_TRUE(frame) << sample.name;
    EXPECT_EQ(written(*frame), sample.encoded) << sample.name;
  }
  EXPECT_TRUE(reader.empty());
}

// §19.8: without the LEN bit the data is everything up to the packet's end.
TEST(FrameCodec, ReadsStreamDataWithoutALengthToTheEnd) {
  for (const std::uint8_t type : Buffer{0x08, 0x09, 0x0c, 0x0d}) {
    Buffer payload{type, 0x05};
    if ((type & 0x04) != 0) payload.push_back(0x09);
    payload.insert(payload.end(), kData.begin(), kData.end());
    Reader reader{payload};
    const auto frame = read_frame(reader, PacketType::one_rtt);
    ASSERT_TRUE(frame);
    const auto& stream = std::get<StreamFrame>(*frame);
    EXPECT_EQ(stream.stream, 5U);
    EXPECT_EQ(stream.offset, (type & 0x04) != 0 ? 9U : 0U);
    EXPECT_EQ(stream.fin, (type & 0x01) != 0);
    EXPECT_TRUE(std::ranges::equal(stream.data, kData));
    EXPECT_TRUE(reader.empty());
  }
}

// A frame may also use longer integers than it needs, other than for its type (§12.4, §16).
TEST(FrameCodec, ReadsFieldsInLongerEncodings) {
  const Buffer payload{0x10, 0xc0, 0, 0, 0, 0, 0, 0, 0x25};
  Reader reader{payload};
  const auto frame = read_frame(reader, PacketType::one_rtt);
  ASSERT_TRUE(frame);
  EXPECT_EQ(std::get<MaxDataFrame>(*frame).maximum, 0x25U);
}

TEST(FrameCodec, WritesPaddingOfAnySize) {
  EXPECT_EQ(written(PaddingFrame{3}), (Buffer{0, 0, 0}));
  EXPECT_EQ(frame_size(PaddingFrame{0}), 0U);
}

TEST(FrameCodec, ReadsARunOfPaddingAsOneFrame) {
  const Buffer payload{0, 0, 0, 0, 0x01, 0};
  Reader reader{payload};
  auto frame = read_frame(reader, PacketType::initial);
  ASSERT_TRUE(frame);
  EXPECT_EQ(std::get<PaddingFrame>(*frame).size, 4U);
  EXPECT_TRUE(std::holds_alternative<PingFrame>(*read_frame(reader, PacketType::initial)));
  frame = read_frame(reader, PacketType::initial);
  EXPECT_EQ(std::get<PaddingFrame>(*frame).size, 1U);
  EXPECT_TRUE(reader.empty());
}

}  // namespace
}  // namespace quell
