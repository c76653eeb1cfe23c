// Is CUBIC's curve RFC 9438's?
#include "quell/cc/cubic.h"

#include <gtest/gtest.h>

#include <cmath>

#include "quell/cc/kinds_for_test.h"

namespace quell::cc {
namespace {

using namespace test;

constexpr Duration kRtt = milliseconds{100};

Window window_of(double packets) {
  Window window;
  window.set_packet(kPacket);
  window.bytes = packets * kPacket;
  window.ssthresh = window.bytes;
  window.max_flight = static_cast<double>(kMostWindow);
  return window;
}

// A stage that began at growth clock zero, after a cut from `packets`.
struct Stage {
  explicit Stage(double packets) : window(window_of(packets)) { cut(); }

  void cut() {
    avoidance.on_cut(window);
    window.cut(CubicAvoidance::kBeta);
    window.max_flight = static_cast<double>(kMostWindow);
    avoidance.on_recovery_exit(window, Duration{0});
  }
  // One window acknowledged packet by packet, at one reading of the clock.
  double growth_of_a_round(Duration clock, Duration rtt) {
    const double before = window.packets();
    for (int i = 0, n = static_cast<int>(before); i < n; ++i)
      avoidance.grow(window, kPacket, ack(kPacket, clock, rtt));
    return window.packets() - before;
  }

  Window window;
  CubicAvoidance avoidance;
};

TEST(Cubic, TakesTheCubeRootOfThirtyOverPointFourToComeBackToAHundred) {
  EXPECT_NEAR(Stage{100}.avoidance.k(), 4.217, 0.001);
}

TEST(Cubic, BeginsItsCurveAtTheWindowAndIsFlatAtThePlateau) {
  const Stage stage{100};
  const double at_k = stage.avoidance.w_cubic(stage.window, from_seconds(stage.avoidance.k()));
  EXPECT_NEAR(stage.avoidance.w_cubic(stage.window, Duration{0}), 70 * kPacket, 1);
  EXPECT_NEAR(at_k, 100 * kPacket, 1);
  // One second to either side: C × 1³.
  EXPECT_NEAR(stage.avoidance.w_cubic(stage.window, from_seconds(stage.avoidance.k() + 1)) - at_k, 400, 1);
  EXPECT_NEAR(stage.avoidance.w_cubic(stage.window, from_seconds(stage.avoidance.k() - 1)) - at_k, -400, 1);
}

// At 1,000 packets and 100 ms, Reno's region lies far below: 700 + 5.3 packets a second.
TEST(Cubic, IsBackAtItsPlateauAfterK) {
  Loop loop{make(kKinds[1], 1'000), kRtt};
  loop.run_for(kRtt / 2);
  loop.lose_one();
  loop.run_for(kRtt + from_seconds(std::cbrt(300 / 0.4)));
  // The window is an RTT behind its target, on a slope that is 3 C RTT² there: far below one packet; the ACKs
  // of that RTT approach the target by a factor of e only.
  EXPECT_NEAR(loop.packets(), 1'000, 1);
}

TEST(Cubic, GainsPointFiveThreePacketsARoundBelowCwndPriorAndOneAbove) {
  Stage stage{100};
  // At 1 ms the curve has hardly begun while Reno's region is crossed.
  constexpr Duration rtt = milliseconds{1};
  for (int round = 1; round < 50; ++round) {
    EXPECT_NEAR(stage.growth_of_a_round(rtt * round, rtt), 3 * 0.3 / 1.7, 0.03) << round;
  }
  for (int round = 50; round < 65; ++round) stage.growth_of_a_round(rtt * round, rtt);
  ASSERT_GT(stage.window.packets(), 100);
  EXPECT_NEAR(stage.growth_of_a_round(rtt * 65, rtt), 1, 0.02);
}

TEST(Cubic, AimsNoHigherThanHalfAsMuchAgainInARound) {
  Stage stage{100};
  // (1 + 0.5/n)^n for n ACKs in a round.
  EXPECT_LE(stage.growth_of_a_round(hours{1}, kRtt), 70 * (std::exp(0.5) - 1));
}

TEST(Cubic, ReachesItsTargetAndNoMoreWithOneAckForManyWindows) {
  Stage stage{100};
  stage.avoidance.grow(stage.window, 700 * kPacket, ack(700 * kPacket, hours{1}));
  EXPECT_NEAR(stage.window.packets(), 1.5 * 70, 1e-9);
}

TEST(Cubic, StartsOnItsPlateauWhereFastConvergenceWouldSetItBelowTheFloor) {
  Stage stage{2.5};
  stage.cut();  // at 2, below 2.5: W_max = 1.7, but the window stays at 2
  EXPECT_EQ(stage.avoidance.k(), 0);
  EXPECT_NEAR(stage.avoidance.w_cubic(stage.window, Duration{0}), 2 * kPacket, 1);
}

TEST(Cubic, GivesUpRoomWhenItDidNotReachItsLastLimit) {
  Stage stage{100};
  stage.cut();  // at 70, below 100: W_max = 70 × 1.7 / 2 = 59.5, the window 49
  EXPECT_NEAR(stage.avoidance.k(), std::cbrt((59.5 - 49) / 0.4), 1e-9);
}

TEST(Cubic, RemembersTheWholeWindowWhenItGrewPastItsLastLimit) {
  Stage stage{100};
  stage.window.bytes = 120 * kPacket;
  stage.cut();
  EXPECT_NEAR(stage.avoidance.k(), std::cbrt((120 - 84) / 0.4), 1e-9);
}

TEST(Cubic, StartsOnItsPlateauAfterPersistentCongestion) {
  Stage stage{100};
  stage.avoidance.on_persistent_congestion();
  stage.avoidance.grow(stage.window, kPacket, ack(kPacket, seconds{9}));
  EXPECT_EQ(stage.avoidance.k(), 0);
  EXPECT_NEAR(stage.avoidance.w_cubic(stage.window, Duration{0}), 70 * kPacket, 1);
}

TEST(Cubic, StartsOnItsPlateauWhenSlowStartEndedWithoutALoss) {
  Window window = window_of(50);
  CubicAvoidance avoidance;
  avoidance.on_slow_start_exit(window);
  avoidance.grow(window, kPacket, ack(kPacket, seconds{9}));
  EXPECT_EQ(avoidance.k(), 0);
  EXPECT_NEAR(avoidance.w_cubic(window, Duration{0}), 50 * kPacket, 1);
}

TEST(Cubic, TakesItsZeroAtTheEndOfRecoveryNotAtTheLoss) {
  auto run = [](Duration recovery) {
    auto controller = make(kKinds[1], 1'000);
    cut(*controller, 1);
    controller->on_recovery_exit(recovery, TimePoint{});
    controller->on_ack(ack(100 * kPacket, recovery + seconds{1}), TimePoint{});
    return controller->cwnd();
  };
  EXPECT_EQ(run(seconds{100}), run(Duration{0}));
}

TEST(Cubic, GoesOnAlongTheOldCurveAfterAnUndo) {
  auto undone = in_avoidance(kKinds[1], 1'000);
  auto untouched = in_avoidance(kKinds[1], 1'000);
  cut(*undone, 2);
  undone->on_spurious(2, TimePoint{});
  undone->on_recovery_exit(seconds{1}, TimePoint{});
  for (auto* controller : {&undone, &untouched})
    (*controller)->on_ack(ack(100 * kPacket, seconds{2}), TimePoint{});
  EXPECT_EQ(undone->cwnd(), untouched->cwnd());
}

TEST(Cubic, KeepsBeginningAndPlateauForAnotherPacketSize) {
  Stage stage{100};
  stage.window.set_packet(2 * kPacket);
  stage.avoidance.on_mtu(stage.window);
  EXPECT_NEAR(stage.avoidance.w_cubic(stage.window, Duration{0}), 70 * kPacket, 1);
  EXPECT_NEAR(stage.avoidance.w_cubic(stage.window, from_seconds(stage.avoidance.k())), 100 * kPacket, 1);
}

}  // namespace
}  // namespace quell::cc
