// Is Reno RFC 9002 §7.3's?
#include "quell/cc/reno.h"

#include <gtest/gtest.h>

#include "quell/cc/kinds_for_test.h"

namespace quell::cc {
namespace {

using namespace test;

TEST(Reno, GainsAtMostOnePacketForAWindowAcknowledged) {
  auto controller = in_avoidance(kKinds[0], 100);
  for (int i = 0; i < 50; ++i) controller->on_ack(ack(kPacket, Duration{0}), TimePoint{});
  // The window grows while it is acknowledged: Σ 1/(50 + i/50) is a little less than one.
  EXPECT_LE(controller->cwnd(), 51 * kPacket);
  EXPECT_GE(controller->cwnd(), 50 * kPacket + 980);
}

TEST(Reno, DropsNoResidualOfASmallIncrement) {
  auto controller = in_avoidance(kKinds[0], 2'000'000);
  // Each ACK earns 1000 × 100 / 10⁹ = 10⁻⁴ bytes.
  for (int i = 0; i < 20'000; ++i) controller->on_ack(ack(100, Duration{0}), TimePoint{});
  EXPECT_NEAR(static_cast<double>(controller->cwnd() - 1'000'000 * kPacket), 2, 1);
}

TEST(Reno, DoesNotReadTheGrowthClock) {
  auto now = in_avoidance(kKinds[0], 100);
  auto later = in_avoidance(kKinds[0], 100);
  now->on_ack(ack(kPacket, Duration{0}), TimePoint{});
  later->on_ack(ack(kPacket, hours{240}), TimePoint{});
  EXPECT_EQ(now->cwnd(), later->cwnd());
}

}  // namespace
}  // namespace quell::cc
