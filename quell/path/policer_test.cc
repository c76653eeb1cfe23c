#include "quell/path/policer.h"

#include <gtest/gtest.h>

namespace quell::path {
namespace {

constexpr TimePoint kStart{seconds{1}};

TEST(Policer, LetsTheBucketThroughAtOnceThenItsRate) {
  Policer policer{{.when = {}, .rate = Rate::bits_per_second(10e6), .depth = 15'000}};
  const Phases phases{kStart};
  int at_once = 0;
  for (int i = 0; i < 100; ++i) at_once += policer.admits(1250, phases, kStart) ? 1 : 0;
  EXPECT_EQ(at_once, 12);  // 15 kB in packets of 1250
  int in_a_second = 0;
  for (int us = 100; us <= 1'000'000; us += 100) {
    in_a_second += policer.admits(1250, phases, kStart + microseconds{us}) ? 1 : 0;
  }
  EXPECT_EQ(in_a_second, 1000);  // 10 Mbit
}

TEST(Policer, SleepsOutsideItsPhase) {
  Policer policer{{.when = {.from = {}, .lasts = seconds{1}}, .rate = Rate::bits_per_second(8), .depth = 1}};
  const Phases phases{kStart};
  EXPECT_FALSE(policer.admits(1250, phases, kStart));
  EXPECT_TRUE(policer.admits(1250, phases, kStart + seconds{1}));
}

}  // namespace
}  // namespace quell::path
