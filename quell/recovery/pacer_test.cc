#include "quell/recovery/pacer.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

namespace quell {
namespace {

constexpr ByteCount kPacket = 1452;
constexpr ByteCount kWideWindow = std::numeric_limits<ByteCount>::max();
TimePoint at(Duration d) {
  return TimePoint{d};
}

// Sends whatever it may, waking up only at multiples of `granularity`, as late as that makes it.
struct Sender {
  Pacer pacer{kPacket};
  Duration granularity{1};
  TimePoint now = at(seconds{1});
  ByteCount sent = 0;
  ByteCount longest_burst = 0;
  std::uint64_t wakes = 0;

  void run_until(TimePoint end) {
    while (now < end) {
      const ByteCount bytes = pacer.available(kWideWindow, now);
      const TimePoint release = pacer.release_at(bytes, kWideWindow);
      pacer.on_sent(bytes);
      sent += bytes;
      longest_burst = std::max(longest_burst, bytes);
      ++wakes;
      ASSERT_GT(release, now);
      const auto ticks = (release.time_since_epoch() + granularity - Duration{1}) / granularity;
      now = at(ticks * granularity);
    }
  }
};

class PacerRate : public ::testing::TestWithParam<std::tuple<double, Duration>> {};

TEST_P(PacerRate, HoldsItsRateWithinTwoPercent) {
  const auto [megabits, granularity] = GetParam();
  const Rate rate = Rate::bits_per_second(megabits * 1e6);
  Sender sender;
  sender.granularity = granularity;
  sender.pacer.set_rate(rate, sender.now);
  const TimePoint start = sender.now;
  sender.run_until(start + seconds{20});
  const double expected = rate.bytes_per_second() * to_seconds(sender.now - start);
  // The full bucket at the start is no rate.
  EXPECT_LE(static_cast<double>(sender.sent), expected * 1.02 + static_cast<double>(sender.pacer.burst()));
  EXPECT_GE(static_cast<double>(sender.sent), expected * 0.98);
}

INSTANTIATE_TEST_SUITE_P(RatesAndTimers, PacerRate,
                         ::testing::Combine(::testing::Values(0.5, 10.0, 100.0, 1000.0, 10000.0),
                                            ::testing::Values(Duration{1}, Duration{microseconds{50}},
                                                              Duration{milliseconds{1}})));

TEST(Pacer, ABurstIsTenPacketsOnASlowPath) {
  Pacer pacer{kPacket};
  pacer.set_rate(Rate::bits_per_second(10e6), at(seconds{1}));
  EXPECT_EQ(pacer.available(kWideWindow, at(hours{1})), 10 * kPacket);
}

TEST(Pacer, ABurstIsTwoMillisecondsOfRateOnAFastPath) {
  Pacer pacer{kPacket};
  const Rate rate = Rate::bits_per_second(10e9);
  pacer.set_rate(rate, at(seconds{1}));
  const ByteCount burst = pacer.available(kWideWindow, at(hours{1}));
  EXPECT_LE(burst, rate.bytes_in(milliseconds{2}));
  EXPECT_GT(burst + kPacket, rate.bytes_in(milliseconds{2}));
  EXPECT_GE(burst, 44 * kPacket);
}

TEST(Pacer, DoesNotWakeForEveryPacketOfAFastPath) {
  Sender sender;
  sender.pacer.set_rate(Rate::bits_per_second(1e9), sender.now);
  sender.run_until(sender.now + seconds{1});
  EXPECT_GE(sender.sent / sender.wakes, 40 * kPacket);
}

TEST(Pacer, WakesNoMoreThanOnceForTwoPacketsOnASlowPath) {
  Sender sender;
  sender.pacer.set_rate(Rate::bits_per_second(1e6), sender.now);
  sender.run_until(sender.now + seconds{20});
  EXPECT_LE(sender.wakes, sender.sent / (2 * kPacket) + 1);
}

TEST(Pacer, GivesAtTheTimeThatItPromised) {
  for (const double megabits : {0.013, 0.7, 3.3, 17.0, 333.3, 7777.0}) {
    Pacer pacer{kPacket};
    TimePoint now = at(seconds{7});
    pacer.set_rate(Rate::bits_per_second(megabits * 1e6), now);
    for (int i = 0; i < 1000; ++i) {
      const ByteCount bytes = pacer.available(kWideWindow, now);
      ASSERT_GE(bytes, kPacket) << megabits << " Mbit/s, wake " << i;
      now = pacer.release_at(bytes, kWideWindow);
      pacer.on_sent(bytes);
    }
  }
}

TEST(Pacer, WaitsForNoMoreThanTheWindowHasLeft) {
  Pacer pacer{kPacket};
  const TimePoint now = at(seconds{1});
  pacer.set_rate(Rate::bits_per_second(1e9), now);
  const ByteCount bytes = pacer.available(kWideWindow, now);
  pacer.on_sent(bytes);
  ASSERT_EQ(pacer.available(3 * kPacket, now), 0U);
  const Duration wait = pacer.release_at(0, 3 * kPacket) - now;
  EXPECT_LE(wait, Rate::bits_per_second(1e9).time_for(3 * kPacket) + Duration{2});
}

TEST(Pacer, ProbesMayOverdrawIt) {
  Pacer pacer{kPacket};
  const TimePoint now = at(seconds{1});
  pacer.set_rate(Rate::bytes_per_second(1e6), now);
  pacer.on_sent(12 * kPacket);
  EXPECT_EQ(pacer.available(kWideWindow, now), 0U);
  // Two packets of debt and two to come.
  EXPECT_EQ(pacer.release_at(0, kWideWindow), now + Rate::bytes_per_second(1e6).time_for(4 * kPacket));
}

TEST(Pacer, WithoutARateNothingIsHeldBack) {
  Pacer pacer{kPacket};
  EXPECT_EQ(pacer.available(kWideWindow, at(seconds{1})), kWideWindow);
}

TEST(Pacer, AChangeOfRateKeepsWhatWasEarnedBefore) {
  Pacer pacer{kPacket};
  TimePoint now = at(seconds{1});
  pacer.set_rate(Rate::bytes_per_second(1e6), now);
  pacer.on_sent(pacer.available(kWideWindow, now));
  now += Rate::bytes_per_second(1e6).time_for(5 * kPacket);
  pacer.set_rate(Rate::bytes_per_second(1), now);
  EXPECT_EQ(pacer.available(kWideWindow, now), 5 * kPacket);
}

}  // namespace
}  // namespace quell
