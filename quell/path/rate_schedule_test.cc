#include "quell/path/rate_schedule.h"

#include <gtest/gtest.h>

namespace quell::path {
namespace {

constexpr TimePoint kStart{seconds{1}};

Rate mbit_s(double n) {
  return Rate::bits_per_second(n * 1e6);
}

// 10 Mbit/s, from 1 s on 1 Mbit/s, from 2 s on nothing, from 3 s on 10 Mbit/s again.
RateTrace dip() {
  return {.steps = {{Duration{0}, mbit_s(10)},
                    {seconds{1}, mbit_s(1)},
                    {seconds{2}, Rate{}},
                    {seconds{3}, mbit_s(10)}},
          .every = {}};
}

TEST(RateSchedule, OneRateTakesSizeOverRate) {
  const RateSchedule schedule{mbit_s(10)};
  EXPECT_EQ(schedule.finish(1250, kStart), kStart + milliseconds{1});
}

TEST(RateSchedule, APacketThatMeetsAStepIsSentAtBothRates) {
  const RateSchedule schedule{dip(), kStart};
  // 0.5 ms at 10 Mbit/s are 625 bytes; the other 625 take 5 ms at 1 Mbit/s.
  EXPECT_EQ(schedule.finish(1250, kStart + microseconds{999'500}), kStart + milliseconds{1005});
}

TEST(RateSchedule, AStoppedLinkGoesOnWhereItWas) {
  const RateSchedule schedule{dip(), kStart};
  // 1 ms at 1 Mbit/s is 125 bytes; the other 1125 wait for the third second and take 0.9 ms.
  EXPECT_EQ(schedule.finish(1250, kStart + milliseconds{1999}), kStart + microseconds{3'000'900});
}

TEST(RateSchedule, CountsWhatABusyLinkSends) {
  const RateSchedule schedule{dip(), kStart};
  EXPECT_DOUBLE_EQ(schedule.bytes_between(kStart, kStart + seconds{4}), 1.25e6 + 0.125e6 + 0 + 1.25e6);
}

TEST(RateSchedule, ATraceStartsAgain) {
  RateTrace trace = dip();
  trace.every = seconds{4};
  const RateSchedule schedule{trace, kStart};
  EXPECT_EQ(schedule.rate_at(kStart + seconds{4001}), mbit_s(1));
  EXPECT_DOUBLE_EQ(schedule.bytes_between(kStart, kStart + seconds{400}), 100 * 2.625e6);
}

}  // namespace
}  // namespace quell::path
