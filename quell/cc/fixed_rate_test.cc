// Does a fixed rate stay fixed?
#include "quell/cc/fixed_rate.h"

#include <gtest/gtest.h>

namespace quell::cc {
namespace {

constexpr TimePoint kNow{};
constexpr Rate kRate = Rate::bits_per_second(80e6);  // 10 MB/s

void hear(Controller& controller, Duration smoothed) {
  controller.on_ack({.acked_bytes = 1'000, .growable_bytes = 1'000, .rtt = {.smoothed = smoothed}}, kNow);
}

TEST(FixedRate, PacesAtWhatItWasTold) {
  const auto controller = make_fixed_rate({.max_datagram_size = 1'000, .fixed_rate = kRate});
  EXPECT_EQ(controller->pacing_rate(), kRate);
  EXPECT_TRUE(controller->traits().sets_pacing_rate);
  hear(*controller, milliseconds{40});
  controller->on_congestion({.cause = CongestionCause::persistent}, kNow);
  EXPECT_EQ(controller->pacing_rate(), kRate);
}

TEST(FixedRate, IsTenMegabitsUnlessTold) {
  EXPECT_EQ(make_fixed_rate({})->pacing_rate(), Rate::bits_per_second(10e6));
}

TEST(FixedRate, HasAWindowForTwoRoundTripsOfIt) {
  const auto controller = make_fixed_rate({.max_datagram_size = 1'000, .fixed_rate = kRate});
  EXPECT_EQ(controller->cwnd(), 10'000u);  // no sample yet: the initial window
  hear(*controller, milliseconds{40});
  EXPECT_EQ(controller->cwnd(), 800'000u);
  hear(*controller, microseconds{1});
  EXPECT_EQ(controller->cwnd(), 4'000u);
  hear(*controller, hours{1'000});
  EXPECT_LE(controller->cwnd(), kMostWindow);
  controller->on_path_reset(kNow);
  EXPECT_EQ(controller->cwnd(), 10'000u);
}

}  // namespace
}  // namespace quell::cc
