#include "quell/qlog/frames.h"

#include <gtest/gtest.h>

#include "quell/base/writer.h"
#include "quell/qlog/draft_rules.h"
#include "quell/wire/frame_writer.h"

namespace quell::qlog {
namespace {

using test::Json;

constexpr std::uint64_t kExponent = 3;

Json spell(const Frame& frame) {
  std::string out;
  JsonText json(out);
  write_frame(json, frame, kExponent);
  return Json::parse(out);
}

Json spell_payload(Bytes payload, PacketType packet = PacketType::one_rtt) {
  std::string out;
  JsonText json(out);
  json.begin_object();
  write_frames(json, payload, packet, kExponent);
  json.end_object();
  return Json::parse(out).at("frames");
}

const std::vector<std::uint8_t> kFiveBytes{1, 2, 3, 4, 5};

// One of each, with every optional part.
std::vector<Frame> every_frame() {
  const ConnectionId id{Bytes(kFiveBytes)};
  return {PaddingFrame{9},
          PingFrame{},
          AckFrame{12, 5, 2, 0, {}, EcnCounts{.ect0 = 7, .ect1 = 8, .ce = 9}},
          ResetStreamFrame{4, 0x10c, 1000},
          StopSendingFrame{4, 0x10c},
          CryptoFrame{100, kFiveBytes},
          NewTokenFrame{kFiveBytes},
          StreamFrame{.stream = 8, .offset = 70, .fin = true, .data = kFiveBytes},
          MaxDataFrame{1},
          MaxStreamDataFrame{2, 3},
          MaxStreamsFrame{StreamKind::bidi, 4},
          MaxStreamsFrame{StreamKind::uni, 4},
          DataBlockedFrame{5},
          StreamDataBlockedFrame{6, 7},
          StreamsBlockedFrame{StreamKind::uni, 8},
          NewConnectionIdFrame{.sequence = 9, .retire_prior_to = 8, .id = id, .reset_token = {0xaa}},
          RetireConnectionIdFrame{10},
          PathChallengeFrame{{1, 2, 3, 4, 5, 6, 7, 8}},
          PathResponseFrame{{1, 2, 3, 4, 5, 6, 7, 8}},
          ConnectionCloseFrame{false, 0x0a, 6, kFiveBytes},
          ConnectionCloseFrame{true, 0x100, 0, {}},
          HandshakeDoneFrame{}};
}

TEST(QlogFrames, EveryFrameKeepsTheDraftsRules) {
  for (const Frame& frame : every_frame()) {
    const Json json = spell(frame);
    EXPECT_EQ(test::check_frame(json), "") << json;
  }
}

TEST(QlogFrames, AnAckNamesItsRangesAndItsDelayInMilliseconds) {
  RangeSet received;
  received.add(0, 5);
  received.add(7, 8);
  received.add(10, 13);
  std::vector<std::uint8_t> payload(100);
  Writer out{MutableBytes(payload)};
  ASSERT_TRUE(write_ack(out, received, 250, nullptr, 100, 10));
  payload.resize(out.position());

  const Json ack = spell_payload(payload).at(0);
  EXPECT_EQ(ack.at("acked_ranges"), Json::parse("[[10,12],[7],[0,4]]"));
  EXPECT_DOUBLE_EQ(ack.at("ack_delay"), 2.0);  // 250 units of 8 µs
  EXPECT_FALSE(ack.contains("ce"));
}

TEST(QlogFrames, AnImpossibleAckDelayDoesNotOverflow) {
  std::string out;
  JsonText json(out);
  write_frame(json, AckFrame{1, (std::uint64_t{1} << 62) - 1, 0, 0, {}, {}}, 20);
  EXPECT_GT(Json::parse(out).at("ack_delay").get<double>(), 1e9);
}

TEST(QlogFrames, AStreamFrameTellsOffsetLengthAndEnd) {
  const Json json = spell(StreamFrame{.stream = 8, .offset = 70, .fin = true, .data = kFiveBytes});
  EXPECT_EQ(json, Json::parse(
                      R"({"frame_type":"stream","stream_id":8,"offset":70,"fin":true,"raw":{"length":5}})"));
}

TEST(QlogFrames, PaddingIsOneFrameOfManyBytes) {
  const std::vector<std::uint8_t> payload{0x01, 0, 0, 0, 0};
  const Json frames = spell_payload(payload);
  ASSERT_EQ(frames.size(), 2);
  EXPECT_EQ(frames[1].at("raw").at("payload_length"), 4);
}

TEST(QlogFrames, ResetTokensStayOutOfTheLog) {
  EXPECT_FALSE(spell(NewConnectionIdFrame{1, 0, {}, {0xaa}}).contains("stateless_reset_token"));
}

TEST(QlogFrames, AReasonThatIsNotTextIsWrittenAsBytes) {
  const std::vector<std::uint8_t> bad{0xff, 0xfe};
  const Json json = spell(ConnectionCloseFrame{false, 1, 0, bad});
  EXPECT_EQ(json.at("reason_bytes"), "fffe");
  EXPECT_EQ(json.at("error"), "internal_error");
}

TEST(QlogFrames, ATlsAlertIsACryptoErrorOfTheDraft) {
  EXPECT_EQ(spell(ConnectionCloseFrame{false, 0x12a, 0, {}}).at("error"), "crypto_error_0x12a");
}

TEST(QlogFrames, AFrameThatCannotBeReadEndsTheListAsUnknown) {
  const std::vector<std::uint8_t> payload{0x01, 0x21, 0x05, 0x06};  // PING, then a type nobody defined
  const Json frames = spell_payload(payload);
  ASSERT_EQ(frames.size(), 2);
  EXPECT_EQ(test::check_frame(frames[1]), "");
  EXPECT_EQ(frames[1].at("frame_type_bytes"), 0x21);
  EXPECT_EQ(frames[1].at("raw").at("length"), 3);
}

}  // namespace
}  // namespace quell::qlog
