#include "quell/path/line.h"

#include <gtest/gtest.h>

namespace quell::path {
namespace {

constexpr TimePoint kStart{seconds{1}};

TEST(Line, JitterDelaysButKeepsTheOrder) {
  Line line{{.delay = milliseconds{10}, .jitter = milliseconds{5}}, Rng{7}, kStart};
  TimePoint before{};
  bool varied = false;
  for (int i = 0; i < 1000; ++i) {
    const TimePoint now = kStart + microseconds{100} * i;
    const TimePoint out = line.arrival(0, now);
    EXPECT_GE(out, before);
    EXPECT_GE(out, now + milliseconds{10});
    EXPECT_LE(out, now + milliseconds{15});
    varied = varied || out > now + milliseconds{12};
    before = out;
  }
  EXPECT_TRUE(varied);
}

TEST(Line, JitterReordersWhereItMay) {
  Line line{{.delay = milliseconds{10}, .jitter = milliseconds{5}, .jitter_reorders = true}, Rng{7}, kStart};
  int overtaken = 0;
  TimePoint before{};
  for (int i = 0; i < 1000; ++i) {
    const TimePoint out = line.arrival(0, kStart + microseconds{100} * i);
    overtaken += out < before ? 1 : 0;
    before = out;
  }
  // Two neighbours 0.1 ms apart with uniform jitter of 5 ms swap with probability (1 − 0.02)² / 2.
  EXPECT_NEAR(overtaken, 480, 70);
}

TEST(Line, TheDelayStepsAndStepsBack) {
  LinkConfig config{.delay = milliseconds{10}};
  config.delay_steps = {{seconds{1}, milliseconds{20}}, {seconds{2}, Duration{0}}};
  Line line{config, Rng{7}, kStart};
  const auto delay_at = [&](Duration t) { return line.arrival(0, kStart + t) - kStart - t; };
  EXPECT_EQ(delay_at(milliseconds{999}), milliseconds{10});
  EXPECT_EQ(delay_at(milliseconds{1000}), milliseconds{30});
  // The last one at 30 ms arrives at 2.029 s: what leaves within 20 ms behind the step waits for it.
  EXPECT_EQ(delay_at(milliseconds{1999}), milliseconds{30});
  EXPECT_EQ(delay_at(milliseconds{2000}), milliseconds{29});
  EXPECT_EQ(delay_at(milliseconds{2500}), milliseconds{10});
}

TEST(Line, EachFlowHasItsOwnLength) {
  Line line{{.delay = milliseconds{10}}, Rng{7}, kStart};
  line.set_flow_delay(1, milliseconds{40});
  EXPECT_EQ(line.arrival(1, kStart), kStart + milliseconds{50});
  EXPECT_EQ(line.arrival(0, kStart), kStart + milliseconds{10});
}

}  // namespace
}  // namespace quell::path
