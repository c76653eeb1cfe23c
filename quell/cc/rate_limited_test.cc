// How far may a window grow beyond what was ever in flight? (draft-ietf-ccwg-ratelimited-increase §3)
#include <gtest/gtest.h>

#include "quell/cc/kinds_for_test.h"

namespace quell::cc {
namespace {

using namespace test;

constexpr TimePoint kNow{};

// Sends a flight at once, then an ACK comes for each packet. The draft lets every ACK grow the window, and so
// does this sender; quell's transport is stricter (RFC 9002 §7.8).
struct Sender {
  explicit Sender(ControllerPtr made) : controller(std::move(made)) {}

  void round(ByteCount packets, Duration rtt = milliseconds{100}) {
    for (ByteCount i = 0; i < packets; ++i)
      controller->on_sent({.number = next++, .bytes = kPacket, .in_flight_before = i * kPacket}, kNow);
    clock += rtt;
    for (ByteCount left = packets; left > 0; --left) {
      AckEvent event = ack(kPacket, clock, rtt);
      event.in_flight_before = left * kPacket;
      controller->on_ack(event, kNow);
    }
  }
  double packets() const { return static_cast<double>(controller->cwnd()) / kPacket; }

  ControllerPtr controller;
  PacketNumber next = 0;
  Duration clock{0};
};

// A cut from `packets`, and recovery is over: maxFS is what is sent from here on.
Sender after_a_cut(const Kind& kind, ByteCount packets) {
  Sender sender{make(kind, packets)};
  cut(*sender.controller, 1);
  sender.controller->on_recovery_exit(Duration{0}, kNow);
  return sender;
}

class RateLimitedTest : public testing::TestWithParam<Kind> {};
INSTANTIATE_TEST_SUITE_P(Kinds, RateLimitedTest, testing::ValuesIn(kKinds),
                         [](const auto& kind) { return std::string{kind.param.name}; });

// Appendix A of the draft, its four rounds.
TEST_P(RateLimitedTest, TheDraftsExampleInBytes) {
  Sender sender{make(GetParam(), 10)};
  sender.round(4);
  EXPECT_EQ(sender.controller->cwnd(), 14'000u);
  sender.round(8);
  EXPECT_EQ(sender.controller->cwnd(), 20'000u);
  sender.round(4);
  EXPECT_EQ(sender.controller->cwnd(), 20'000u);
  sender.round(20);
  EXPECT_EQ(sender.controller->cwnd(), 40'000u);
}

// §3.1: ten packets, a pause, four more.
TEST_P(RateLimitedTest, TheDraftsExampleInPackets) {
  Sender sender{make(GetParam(), 10)};
  sender.round(10);
  EXPECT_EQ(sender.packets(), 20);
  sender.round(4);
  EXPECT_EQ(sender.packets(), 20);
}

TEST_P(RateLimitedTest, NoFlightThatFillsTheWindowIsHeldBack) {
  Sender limited{make(GetParam(), 10)};
  auto unlimited = make(GetParam(), 10);
  for (int i = 0; i < 5; ++i) {
    const ByteCount window = limited.controller->cwnd() / kPacket;
    limited.round(window);
    for (ByteCount n = 0; n < window; ++n) unlimited->on_ack(ack(kPacket, limited.clock), kNow);
    EXPECT_EQ(limited.controller->cwnd(), unlimited->cwnd());
  }
}

// A window of n and a fraction holds n packets, and is full.
TEST_P(RateLimitedTest, AWindowsFractionOfAPacketCountsAsFilled) {
  Sender sender = after_a_cut(GetParam(), 10);
  const double before = sender.packets();
  for (int i = 0; i < 10; ++i) sender.round(static_cast<ByteCount>(sender.packets()), milliseconds{1});
  // α = 0.53 or 1 for each window acknowledged, less what the window's growth and its fraction take.
  EXPECT_GE(sender.packets(), before + 10 * (GetParam().beta == 0.5 ? 1 : 0.53) * 0.8);
}

// However long it goes on, and whatever was in flight before the cut.
TEST_P(RateLimitedTest, AfterACutSmallFlightsNeitherRaiseNorLowerTheWindow) {
  Sender sender = after_a_cut(GetParam(), 100);
  const ByteCount before = sender.controller->cwnd();
  for (int i = 0; i < 1'000; ++i) sender.round(10, milliseconds{1});
  EXPECT_EQ(sender.controller->cwnd(), before);
}

TEST_P(RateLimitedTest, PersistentCongestionForgetsTheOldFlightsToo) {
  Sender sender = after_a_cut(GetParam(), 100);
  sender.round(50);
  cut(*sender.controller, 1, CongestionCause::persistent);
  for (int i = 0; i < 1'000; ++i) sender.round(1, milliseconds{1});
  EXPECT_EQ(sender.packets(), 2);
}

// limit(maxFS) = SMSS + maxFS; 50 packets fill any window of less than 51.
TEST(RateLimitedReno, GainsOnePacketOverTheLargestFlightInAvoidance) {
  Sender sender = after_a_cut(kKinds[0], 100);
  for (int i = 0; i < 1'000; ++i) sender.round(50);
  EXPECT_GE(sender.packets(), 51);
  EXPECT_LT(sender.packets(), 52);
}

// limit(maxFS) is what the curve may earn in a round trip (RFC 9438 §4.2).
TEST(RateLimitedCubic, GainsHalfOfTheLargestFlightInAvoidance) {
  Sender sender = after_a_cut(kKinds[1], 100);
  for (int i = 0; i < 1'000; ++i) sender.round(60, seconds{1});
  EXPECT_NEAR(sender.packets(), 90, 1e-9);
}

// The Reno region is limited as Reno would be: nothing gathers in W_est that a larger flight could set free.
// The curve has hardly begun in the millisecond that this takes.
TEST(RateLimitedCubic, GathersNoGrowthInItsEstimateOfReno) {
  Sender sender = after_a_cut(kKinds[1], 100);
  for (int i = 0; i < 1'000; ++i) sender.round(46, microseconds{1});
  EXPECT_EQ(sender.packets(), 70);
  sender.round(70, microseconds{1});
  EXPECT_LE(sender.packets(), 70.53);
}

}  // namespace
}  // namespace quell::cc
