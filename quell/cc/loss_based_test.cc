// What holds for every loss-based controller, whichever its curve? (RFC 9002 §7)
#include <gtest/gtest.h>

#include "quell/cc/kinds_for_test.h"
#include "quell/cc/loop_for_test.h"

namespace quell::cc {
namespace {

using namespace test;

constexpr TimePoint kNow{};

class LossBasedTest : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(Kinds, LossBasedTest, testing::ValuesIn(kKinds),
                         [](const auto& kind) { return std::string{kind.param.name}; });

TEST_P(LossBasedTest, SlowStartGrowsByEveryGrowableByte) {
  auto controller = make(GetParam(), 10);
  AckEvent event = ack(1'234, Duration{0});
  event.acked_bytes = 9'999;
  controller->on_ack(event, kNow);
  EXPECT_EQ(controller->cwnd(), 10 * kPacket + 1'234);
  EXPECT_EQ(controller->state(), State::slow_start);
  EXPECT_EQ(controller->ssthresh(), std::nullopt);
}

TEST_P(LossBasedTest, NothingGrowsInRecovery) {
  auto controller = make(GetParam(), 100);
  cut(*controller, 1);
  const ByteCount before = controller->cwnd();
  AckEvent event = ack(50 * kPacket, seconds{1});
  event.in_recovery = true;
  controller->on_ack(event, kNow);
  EXPECT_EQ(controller->cwnd(), before);
}

TEST_P(LossBasedTest, NothingGrowsByBytesThatDidNotFillTheWindow) {
  auto controller = in_avoidance(GetParam(), 100);
  const ByteCount before = controller->cwnd();
  for (int i = 0; i < 1000; ++i) {
    AckEvent event = ack(0, milliseconds{100} * i);
    event.acked_bytes = kPacket;
    controller->on_ack(event, kNow);
  }
  EXPECT_EQ(controller->cwnd(), before);
}

TEST_P(LossBasedTest, OneCutForEachCongestionEventAndNoneForLostPackets) {
  auto controller = make(GetParam(), 100);
  const auto after_one = static_cast<ByteCount>(100 * kPacket * GetParam().beta);
  cut(*controller, 1);
  EXPECT_EQ(controller->cwnd(), after_one);
  EXPECT_EQ(controller->ssthresh(), after_one);
  controller->on_packets_lost({.lost_bytes = 30 * kPacket}, kNow);
  EXPECT_EQ(controller->cwnd(), after_one);
  cut(*controller, 2, CongestionCause::ecn_ce);
  EXPECT_EQ(controller->cwnd(), static_cast<ByteCount>(100 * kPacket * GetParam().beta * GetParam().beta));
}

TEST_P(LossBasedTest, TwoPacketsAreTheFloorOfWindowAndThreshold) {
  auto controller = make(GetParam(), 10);
  for (std::uint64_t episode = 1; episode < 30; ++episode) {
    cut(*controller, episode, episode % 2 == 0 ? CongestionCause::loss : CongestionCause::ecn_ce);
  }
  EXPECT_EQ(controller->cwnd(), 2 * kPacket);
  EXPECT_EQ(controller->ssthresh(), 2 * kPacket);
}

TEST_P(LossBasedTest, PersistentCongestionLeavesTwoPacketsAndSlowStartToTheOldThreshold) {
  auto controller = in_avoidance(GetParam(), 100);
  const auto threshold = controller->ssthresh();
  cut(*controller, 1, CongestionCause::persistent);
  EXPECT_EQ(controller->cwnd(), 2 * kPacket);
  EXPECT_EQ(controller->ssthresh(), threshold);
  EXPECT_EQ(controller->state(), State::slow_start);
  controller->on_ack(ack(2 * kPacket, seconds{1}), kNow);
  EXPECT_EQ(controller->cwnd(), 4 * kPacket);
  controller->on_ack(ack(*threshold - 4 * kPacket, seconds{1}), kNow);
  EXPECT_EQ(controller->cwnd(), *threshold);
  EXPECT_EQ(controller->state(), State::congestion_avoidance);
}

TEST_P(LossBasedTest, ANewPacketSizeKeepsTheBytesAndRaisesTheFloor) {
  auto controller = in_avoidance(GetParam(), 100);
  const ByteCount before = controller->cwnd();
  controller->on_mtu(kPacket, 1'400, kNow);
  EXPECT_EQ(controller->cwnd(), before);
  cut(*controller, 2, CongestionCause::persistent);
  EXPECT_EQ(controller->cwnd(), 2'800u);
}

TEST_P(LossBasedTest, AnInitialWindowIsComputedAnewForANewPacketSize) {
  auto controller = GetParam().make({.max_datagram_size = 1'200});
  controller->on_mtu(1'200, 1'400, kNow);
  EXPECT_EQ(controller->cwnd(), 14'000u);
}

TEST_P(LossBasedTest, ANewPathStartsFromTheInitialWindow) {
  auto controller = in_avoidance(GetParam(), 100);
  controller->on_path_reset(kNow);
  EXPECT_EQ(controller->cwnd(), 100 * kPacket);
  EXPECT_EQ(controller->ssthresh(), std::nullopt);
}

// Scenario 4 in small: what an hour of silence leaves is what no silence leaves, to the byte.
TEST_P(LossBasedTest, AnHourOfSilenceChangesNothing) {
  auto run = [&](Duration gap) {
    Loop loop{make(GetParam(), 100), milliseconds{100}};
    loop.run_for(milliseconds{50});
    loop.lose_one();
    loop.run_for(seconds{2});
    loop.fall_silent(gap);
    loop.run_for(seconds{5});
    return loop.controller().cwnd();
  };
  EXPECT_EQ(run(hours{1}), run(Duration{0}));
}

// Scenario 17 in small: every hour of ten days one ACK, on a growth clock that runs all the time.
TEST_P(LossBasedTest, StaysFiniteAndMonotoneForTenDays) {
  auto controller = in_avoidance(GetParam(), 100);
  ByteCount before = controller->cwnd();
  for (Duration clock{0}; clock < hours{240}; clock += hours{1}) {
    controller->on_ack(ack(controller->cwnd(), clock), kNow);
    ASSERT_GE(controller->cwnd(), before);
    ASSERT_LE(controller->cwnd(), std::min(before + before / 2 + 1, kMostWindow));
    before = controller->cwnd();
  }
}

TEST_P(LossBasedTest, GrowsNoFurtherThanTheCap) {
  auto controller = make(GetParam(), 10);
  for (int i = 0; i < 64; ++i) controller->on_ack(ack(controller->cwnd(), seconds{i}), kNow);
  EXPECT_EQ(controller->cwnd(), kMostWindow);
}

TEST_P(LossBasedTest, SurvivesExtremeRoundTrips) {
  for (const Duration rtt : {Duration{0}, Duration{1'000}, Duration{seconds{20}}}) {
    auto controller = in_avoidance(GetParam(), 100);
    const ByteCount before = controller->cwnd();
    controller->on_ack(ack(kPacket, Duration{0}, rtt), kNow);
    EXPECT_GE(controller->cwnd(), before);
    EXPECT_LE(controller->cwnd(), before + kPacket);
  }
}

}  // namespace
}  // namespace quell::cc
