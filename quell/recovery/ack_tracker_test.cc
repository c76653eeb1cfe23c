#include "quell/recovery/ack_tracker.h"

#include <gtest/gtest.h>

#include <array>

#include "quell/wire/frame_reader.h"

namespace quell {
namespace {

constexpr Duration kDelay = milliseconds{25};
TimePoint at(Duration d) {
  return TimePoint{d};
}

struct Acks : ::testing::Test {
  AckTracker tracker{kDelay, 3};
  TimePoint now = at(seconds{1});
  std::array<std::uint8_t, 1200> buffer{};

  void receive(PacketNumber first, PacketNumber last, bool is_eliciting = true, Ecn ecn = Ecn::not_ect) {
    for (PacketNumber n = first; n <= last; ++n) tracker.on_received(n, is_eliciting, ecn, now);
  }
  std::optional<SentFrame> write(std::size_t max_size = 1200) {
    Writer out{buffer};
    return tracker.write_frames(out, max_size, now);
  }
  AckFrame written() {
    Reader reader{buffer};
    const auto frame = read_frame(reader, PacketType::one_rtt);
    return std::get<AckFrame>(*frame);
  }
};

TEST_F(Acks, EverySecondAckElicitingPacketIsAcknowledgedAtOnce) {
  receive(0, 0);
  EXPECT_FALSE(tracker.must_ack(now));
  EXPECT_TRUE(tracker.wants_ack());
  receive(1, 1);
  EXPECT_TRUE(tracker.must_ack(now));
}

TEST_F(Acks, ASinglePacketWaitsForTheDelayAndNoLonger) {
  receive(0, 0);
  EXPECT_EQ(tracker.next_timeout(), now + kDelay);
  EXPECT_FALSE(tracker.must_ack(now + kDelay - Duration{1}));
  EXPECT_TRUE(tracker.must_ack(now + kDelay));
}

TEST_F(Acks, PacketsThatAskForNoAckGetNone) {
  receive(0, 1, /*is_eliciting=*/false);
  receive(8, 9, /*is_eliciting=*/false);  // not even when something is missing (RFC 9000 §13.2.1)
  EXPECT_FALSE(tracker.must_ack(at(hours{1})));
  EXPECT_FALSE(tracker.wants_ack());
  EXPECT_FALSE(tracker.next_timeout());
}

TEST_F(Acks, AGapIsReportedAtOnce) {
  receive(0, 1);
  write();
  receive(3, 3);
  EXPECT_TRUE(tracker.must_ack(now));
}

TEST_F(Acks, AnOldGapIsNotReportedForEveryPacketAfterIt) {
  receive(0, 1);
  receive(3, 3);
  write();
  receive(4, 4);
  EXPECT_FALSE(tracker.must_ack(now));
}

TEST_F(Acks, AReorderedPacketIsReportedAtOnce) {
  receive(0, 0);
  receive(2, 2);
  write();
  receive(1, 1);
  EXPECT_TRUE(tracker.must_ack(now));
}

TEST_F(Acks, AHoleThatAckOnlyPacketsFillIsNoGap) {
  receive(0, 0);
  write();
  receive(1, 5, /*is_eliciting=*/false);
  receive(6, 6);
  EXPECT_FALSE(tracker.must_ack(now));
}

TEST_F(Acks, ACongestionMarkIsReportedAtOnce) {
  receive(0, 0, true, Ecn::ce);
  EXPECT_TRUE(tracker.must_ack(now));
}

TEST_F(Acks, HandshakePacketsAreAcknowledgedAtOnce) {
  tracker = AckTracker{Duration{0}, 3};
  receive(0, 0);
  EXPECT_TRUE(tracker.must_ack(now));
}

TEST_F(Acks, TheFrameSaysWhatWasReceivedAndHowLongItWasHeld) {
  receive(0, 1);
  receive(4, 7, true, Ecn::ect0);
  now += milliseconds{8};
  const auto note = write();
  ASSERT_TRUE(note);
  EXPECT_EQ(note->type, FrameType::ack_ecn);
  EXPECT_EQ(note->offset, 7U);
  const AckFrame frame = written();
  EXPECT_EQ(frame.largest, 7U);
  EXPECT_EQ(frame.first_range, 3U);
  EXPECT_EQ(frame.range_count, 1U);
  EXPECT_EQ(frame.raw_delay, 1000U);  // 8 ms in units of 2^3 µs
  EXPECT_EQ(frame.ecn, (EcnCounts{.ect0 = 4}));
}

TEST_F(Acks, WritingItSettlesTheDebt) {
  receive(0, 5);
  write();
  EXPECT_FALSE(tracker.must_ack(at(hours{1})));
  EXPECT_FALSE(tracker.wants_ack());
  EXPECT_FALSE(tracker.next_timeout());
}

TEST_F(Acks, AFrameThatDoesNotFitLeavesTheDebt) {
  receive(0, 5);
  EXPECT_FALSE(write(3));
  EXPECT_TRUE(tracker.must_ack(now));
}

TEST_F(Acks, TheDelayCountsFromTheLargestNotFromALatecomer) {
  receive(5, 5);
  now += milliseconds{8};
  receive(4, 4);
  write();
  EXPECT_EQ(written().raw_delay, 1000U);
}

TEST_F(Acks, DuplicatesAreRecognised) {
  receive(3, 3);
  EXPECT_TRUE(tracker.is_duplicate(3));
  EXPECT_FALSE(tracker.is_duplicate(2));
}

TEST_F(Acks, ADuplicateIsNotCountedTwice) {
  receive(3, 3, true, Ecn::ce);
  receive(3, 3, true, Ecn::ce);
  write();
  EXPECT_EQ(written().ecn->ce, 1U);
}

TEST_F(Acks, RangesBelowAnAcknowledgedAckAreDropped) {
  receive(0, 1);
  receive(4, 5);
  const auto first = write();
  receive(8, 9);
  tracker.on_acked(*first);
  write();
  EXPECT_EQ(written().range_count, 1U);
  EXPECT_EQ(written().largest, 9U);
  EXPECT_TRUE(tracker.is_duplicate(0));
  EXPECT_TRUE(tracker.is_duplicate(3));  // too old to tell
}

TEST_F(Acks, TheLargestIsNeverForgotten) {
  receive(0, 5);
  const auto note = write();
  tracker.on_acked(*note);
  EXPECT_EQ(tracker.largest_received(), 5U);
  EXPECT_TRUE(tracker.has_received_any());
}

TEST_F(Acks, HolesCostBoundedMemoryAndBoundedFrames) {
  for (PacketNumber n = 0; n < 10000; n += 2) receive(n, n);
  write();
  EXPECT_LE(written().range_count + 1, kMaxAckRangesSent);
  EXPECT_EQ(written().largest, 9998U);
  EXPECT_TRUE(tracker.is_duplicate(9998 - 2 * kMaxAckRanges));
  EXPECT_TRUE(tracker.is_duplicate(1));  // fell off: too old to tell
  EXPECT_FALSE(tracker.is_duplicate(9997));
}

}  // namespace
}  // namespace quell
