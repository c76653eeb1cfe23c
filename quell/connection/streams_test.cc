// Do streams say and believe the right thing about their ends? (RFC 9000 §3, §4.5)
#include "quell/connection/streams.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <set>
#include <vector>

namespace quell {
namespace {

const std::array<std::uint8_t, 100> kData{};
constexpr StreamId kTheirs = 0;  // of the client, bidirectional
constexpr StreamId kOurs = 1;

// A server's streams, and what they would send.
class StreamEnds : public testing::Test {
 protected:
  StreamEnds() {
    TransportParameters peer;
    peer.initial_max_data = 1000;
    peer.initial_max_stream_data_bidi_local = 50;
    peer.initial_max_stream_data_bidi_remote = 50;
    peer.initial_max_streams_bidi = 1;
    streams_.set_peer_limits(peer, events_);
  }
  // The frames of one packet.
  std::vector<SentFrame> write_packet() {
    std::array<std::uint8_t, 1200> room{};
    std::vector<SentFrame> notes;
    FrameSink sink{room, notes};
    streams_.write_control_frames(sink);
    streams_.write_data_frames(sink);
    return notes;
  }
  template <typename T>
  std::size_t count() const {
    return static_cast<std::size_t>(std::ranges::count_if(
        events_, [](const EventBody& event) { return std::holds_alternative<T>(event); }));
  }
  static Bytes data(std::size_t size) { return Bytes{kData}.first(size); }

  EventQueue events_;
  Streams streams_{Side::server, ConnectionConfig{}};
};

TEST_F(StreamEnds, NothingFollowsAResetNotEvenTheFinThatWasWritten) {
  ASSERT_EQ(streams_.open(StreamKind::bidi), kOurs);
  ASSERT_TRUE(streams_.write(kOurs, Slice::copy_of(kData), true));  // half of it fits the peer's window
  ASSERT_EQ(write_packet().front().type, FrameType::stream);
  streams_.reset(kOurs, 7);
  const auto frames = write_packet();
  ASSERT_EQ(frames.size(), 1U);
  EXPECT_EQ(frames[0].type, FrameType::reset_stream);
  EXPECT_FALSE(streams_.has_data());
  EXPECT_TRUE(write_packet().empty());
}

TEST_F(StreamEnds, AResetBehindAllDataIsStillAReset) {
  ASSERT_TRUE(streams_.on_frame(StreamFrame{kTheirs, 0, false, data(10)}, events_));
  streams_.consume(kTheirs, 10);
  ASSERT_TRUE(streams_.on_frame(ResetStreamFrame{kTheirs, 7, 10}, events_));
  EXPECT_EQ(count<StreamReset>(), 1U);
  EXPECT_EQ(streams_.read(kTheirs).error(), StreamError::reset);
}

TEST_F(StreamEnds, AResetBehindTheFinChangesNothing) {
  ASSERT_TRUE(streams_.on_frame(StreamFrame{kTheirs, 0, true, data(10)}, events_));
  ASSERT_TRUE(streams_.on_frame(ResetStreamFrame{kTheirs, 7, 10}, events_));
  EXPECT_EQ(count<StreamReset>(), 0U);
  const auto got = streams_.read(kTheirs);
  ASSERT_TRUE(got);
  EXPECT_EQ(got->bytes.size(), 10U);
  EXPECT_TRUE(got->fin);
}

TEST_F(StreamEnds, ALostResetGoesOutAgainWithTheSameFinalSize) {
  ASSERT_EQ(streams_.open(StreamKind::bidi), kOurs);
  ASSERT_TRUE(streams_.write(kOurs, Slice::copy_of(kData), false));
  write_packet();
  streams_.reset(kOurs, 7);
  const auto first = write_packet();
  ASSERT_EQ(first.size(), 1U);
  streams_.on_lost(first[0]);
  const auto second = write_packet();
  ASSERT_EQ(second.size(), 1U);
  EXPECT_EQ(second[0].type, FrameType::reset_stream);
}

TEST_F(StreamEnds, StopSendingIsAnsweredOnce) {
  ASSERT_EQ(streams_.open(StreamKind::bidi), kOurs);
  ASSERT_TRUE(streams_.on_frame(StopSendingFrame{kOurs, 9}, events_));
  ASSERT_TRUE(streams_.on_frame(StopSendingFrame{kOurs, 9}, events_));
  EXPECT_EQ(count<StreamStopped>(), 1U);
  EXPECT_EQ(write_packet().size(), 1U);
  EXPECT_EQ(streams_.write(kOurs, Slice::copy_of(kData), false).error(), StreamError::reset);
}

TEST_F(StreamEnds, WhatIsDiscardedAfterStopSendingIsGivenBack) {
  ASSERT_TRUE(streams_.on_frame(StreamFrame{kTheirs, 0, false, data(10)}, events_));
  streams_.stop_sending(kTheirs, 9);
  ASSERT_TRUE(streams_.on_frame(StreamFrame{kTheirs, 10, false, data(20)}, events_));
  ASSERT_TRUE(streams_.on_frame(ResetStreamFrame{kTheirs, 9, 75}, events_));
  EXPECT_EQ(streams_.bytes_consumed(), 75U);
}

TEST_F(StreamEnds, AnUnreadStreamThatIsResetIsGivenBack) {
  ASSERT_TRUE(streams_.on_frame(StreamFrame{kTheirs, 50, false, data(10)}, events_));
  ASSERT_TRUE(streams_.on_frame(ResetStreamFrame{kTheirs, 9, 100}, events_));
  ASSERT_TRUE(streams_.on_frame(ResetStreamFrame{kTheirs, 9, 100}, events_));
  EXPECT_EQ(streams_.bytes_consumed(), 100U);
}

TEST_F(StreamEnds, AStreamOpensAllLowerOnesOfItsKind) {
  ASSERT_TRUE(streams_.on_frame(StreamFrame{4 * 3, 0, false, data(1)}, events_));
  EXPECT_EQ(count<StreamOpened>(), 4U);
  EXPECT_TRUE(streams_.read(4 * 2));
}

TEST_F(StreamEnds, FramesForAForgottenStreamAreIgnored) {
  constexpr StreamId kUni = 2;
  ASSERT_TRUE(streams_.on_frame(StreamFrame{kUni, 0, true, data(10)}, events_));
  streams_.consume(kUni, 10);
  ASSERT_EQ(streams_.read(kUni).error(), StreamError::no_stream);
  EXPECT_TRUE(streams_.on_frame(StreamFrame{kUni, 0, true, data(10)}, events_));
  EXPECT_TRUE(streams_.on_frame(ResetStreamFrame{kUni, 0, 10}, events_));
  EXPECT_EQ(streams_.bytes_consumed(), 10U);
}

// From the highest down, as it costs most; what keeps below the limit costs little.
TEST_F(StreamEnds, AStreamInCrumbsEndsTheConnection) {
  constexpr ByteCount kCrumbs = 100000;
  ByteCount taken = 0;
  Result<void> result;
  for (; result && taken < kCrumbs; ++taken) {
    result = streams_.on_frame(StreamFrame{kTheirs, 2 * (kCrumbs - taken), false, data(1)}, events_);
  }
  ASSERT_FALSE(result);
  EXPECT_EQ(result.error().code, TransportError::internal_error);
  EXPECT_GT(taken, 8000U);  // half the packets of a full 16 MiB window are no attack
}

TEST_F(StreamEnds, ALimitThatStopsUsIsToldOnceWithoutOtherFrames) {
  ASSERT_TRUE(streams_.open(StreamKind::bidi));
  ASSERT_FALSE(streams_.open(StreamKind::bidi));
  EXPECT_TRUE(streams_.has_control_frames());
  const auto frames = write_packet();
  ASSERT_EQ(frames.size(), 1U);
  EXPECT_EQ(frames[0].type, FrameType::streams_blocked_bidi);
  EXPECT_EQ(frames[0].offset, 1U);
  EXPECT_FALSE(streams_.has_control_frames());
}

// A server's streams with windows so small that every packet of the client asks for new limits.
Streams with_small_windows() {
  ConnectionConfig config;
  config.max_data = 1000;
  config.max_stream_data = 100;
  return Streams{Side::server, config};
}
std::vector<SentFrame> control_frames_within(Streams& streams, std::size_t size) {
  std::vector<std::uint8_t> room(size);
  std::vector<SentFrame> notes;
  FrameSink sink{room, notes};
  streams.write_control_frames(sink);
  return notes;
}

TEST(NewLimits, ThatFindNoRoomGoWithTheNextPacket) {
  EventQueue events;
  Streams streams = with_small_windows();
  std::set<StreamId> expected;
  for (StreamId id = 0; id < 10 * 4; id += 4) {
    ASSERT_TRUE(streams.on_frame(StreamFrame{id, 0, false, Bytes{kData}}, events));
    streams.consume(id, kData.size());
    expected.insert(id);
  }
  bool has_max_data = false;
  std::set<StreamId> raised;
  for (int packet = 0; packet < 40 && streams.has_control_frames(); ++packet) {
    const std::size_t room = packet == 0 ? 2 : 7;  // for none of them, and for one
    for (const SentFrame& frame : control_frames_within(streams, room)) {
      has_max_data |= frame.type == FrameType::max_data;
      if (frame.type == FrameType::max_stream_data) raised.insert(frame.id);
    }
  }
  EXPECT_TRUE(has_max_data);
  EXPECT_EQ(raised, expected);
}

TEST(NewLimits, AWindowOfNothingAnnouncesNothing) {
  ConnectionConfig config;
  config.max_data = 0;
  const Streams streams{Side::server, config};
  EXPECT_FALSE(streams.has_control_frames());
}

TEST(StreamsBeforeTheHandshake, WaitForThePeersLimitsAndAreNotBlockedByThem) {
  EventQueue events;
  Streams streams{Side::client, ConnectionConfig{}};
  ASSERT_EQ(streams.open(StreamKind::bidi).error(), StreamError::limit);
  TransportParameters peer;
  peer.initial_max_streams_bidi = 1;
  streams.set_peer_limits(peer, events);
  EXPECT_EQ(events.size(), 1U);  // StreamsAvailable
  EXPECT_FALSE(streams.has_control_frames());
  EXPECT_TRUE(streams.open(StreamKind::bidi));
}

TEST_F(StreamEnds, TheLimitOfStreamsIsToldAndItsRaiseIsHeard) {
  ASSERT_TRUE(streams_.open(StreamKind::bidi));
  EXPECT_EQ(streams_.open(StreamKind::bidi).error(), StreamError::limit);
  EXPECT_EQ(count<StreamsAvailable>(), 0U);
  ASSERT_TRUE(streams_.on_frame(MaxStreamsFrame{StreamKind::bidi, 2}, events_));
  EXPECT_EQ(count<StreamsAvailable>(), 1U);
  EXPECT_TRUE(streams_.open(StreamKind::bidi));
}

}  // namespace
}  // namespace quell
