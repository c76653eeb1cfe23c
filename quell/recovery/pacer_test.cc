#include "quell/recovery/pacer.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>

#include "quell/base/rng.h"

namespace quell {
namespace {

constexpr ByteCount kPacket = 1452;
constexpr ByteCount kWideWindow = std::numeric_limits<ByteCount>::max();
TimePoint at(Duration d) {
  return TimePoint{d};
}

// Sends whatever it may, waking up only at multiples of `granularity`, as late as that makes it and then up
// to `latency` later.
struct Sender {
  Pacer pacer{kPacket};
  Duration granularity{1};
  Duration latency{0};
  TimePoint now = at(seconds{1});
  ByteCount sent = 0;
  ByteCount longest_burst = 0;
  std::uint64_t wakes = 0;
  Rng rng{1};

  void run_until(TimePoint end) {
    while (now < end) {
      const ByteCount bytes = pacer.available(kWideWindow, now);
      const TimePoint release = pacer.release_at(bytes, kWideWindow);
      pacer.on_sent(bytes);
      pacer.wait(release, now);
      sent += bytes;
      if (wakes > 0) longest_burst = std::max(longest_burst, bytes);  // the first finds a full bucket
      ++wakes;
      ASSERT_GT(release, now);
      const auto ticks = (release.time_since_epoch() + granularity - Duration{1}) / granularity;
      now = at(ticks * granularity);
      if (latency.count() > 0) now += Duration{static_cast<Duration::rep>(rng.below(latency.count()))};
    }
  }
};

// As long as a wake-up is at most 10 ms late, granularity and latency together, the rate is what was asked
// for; the burst is within its bound, or as long as the wake-up was late.
RC_GTEST_PROP(PacerRate, HoldsWithinTwoPercentWhateverTheTimer, ()) {
  const double megabits = std::pow(10, *rc::gen::inRange(-50, 401) / 100.0);  // 0.3 to 10,000
  const Rate rate = Rate::bits_per_second(megabits * 1e6);
  Sender sender;
  sender.granularity = microseconds{*rc::gen::inRange(1, 10'001)};
  sender.latency = microseconds{*rc::gen::inRange<Duration::rep>(0, 10'001)};
  sender.latency = std::min<Duration>(sender.latency, milliseconds{10} - sender.granularity);
  std::optional<ByteCount> most_at_once;
  if (*rc::gen::arbitrary<bool>()) most_at_once = *rc::gen::inRange<ByteCount>(0, 100'000);
  const TimePoint start = sender.now;
  sender.pacer.set_rate(rate, most_at_once, start);
  const ByteCount first = sender.pacer.available(kWideWindow, start);
  sender.run_until(start + std::max<Duration>(seconds{2}, rate.time_for(300 * kPacket)));
  // The full bucket at the start is no rate; what is left in it at the end would still be sent.
  const double asked = rate.bytes_per_second() * to_seconds(sender.now - start);
  const auto sent = static_cast<double>(sender.sent);
  RC_ASSERT(sent <= asked * 1.02 + static_cast<double>(first));
  const Duration latest = sender.granularity + sender.latency;
  const double late_burst = static_cast<double>(sender.pacer.quantum()) +
                            rate.bytes_per_second() * to_seconds(latest) + static_cast<double>(kPacket);
  RC_ASSERT(sent >= asked * 0.98 - late_burst);
  const auto longest = static_cast<double>(sender.longest_burst);
  RC_ASSERT(longest <= std::max(static_cast<double>(sender.pacer.burst()), late_burst));
}

TEST(PacerRate, HoldsOverManyRatesOfAMillisecondTimerWithinTheBurstBound) {
  for (const double megabits : {0.5, 10.0, 100.0, 1000.0, 10000.0}) {
    const Rate rate = Rate::bits_per_second(megabits * 1e6);
    Sender sender;
    sender.granularity = milliseconds{1};
    sender.latency = microseconds{200};
    sender.pacer.set_rate(rate, {}, sender.now);
    const TimePoint start = sender.now;
    sender.run_until(start + seconds{20});
    const double asked = rate.bytes_per_second() * to_seconds(sender.now - start);
    EXPECT_LE(static_cast<double>(sender.sent), asked * 1.02 + static_cast<double>(sender.pacer.burst()));
    EXPECT_GE(static_cast<double>(sender.sent), asked * 0.98);
    EXPECT_LE(sender.longest_burst, std::max(10 * kPacket, rate.bytes_in(milliseconds{2})));
  }
}

TEST(Pacer, NoMoreThanTenMillisecondsOfLatenessAreMadeUpFor) {
  Pacer pacer{kPacket};
  const Rate rate = Rate::bits_per_second(1e9);
  TimePoint now = at(seconds{1});
  pacer.set_rate(rate, {}, now);
  pacer.on_sent(pacer.available(kWideWindow, now));
  pacer.wait(pacer.release_at(0, kWideWindow), now);
  now += seconds{60};
  EXPECT_LE(pacer.available(kWideWindow, now), pacer.quantum() + rate.bytes_in(milliseconds{10}));
}

TEST(Pacer, ASenderThatDidNotWaitForItFindsNoMoreThanAFullBucket) {
  Pacer pacer{kPacket};
  TimePoint now = at(seconds{1});
  pacer.set_rate(Rate::bits_per_second(1e9), {}, now);
  pacer.on_sent(pacer.available(kWideWindow, now));
  pacer.wait({}, now);  // nothing to send
  now += milliseconds{6};
  EXPECT_LE(pacer.available(kWideWindow, now), pacer.burst());
}

TEST(Pacer, WhatALateWakeUpFoundIsGoneWhenThePassEndsForAnotherReason) {
  Pacer pacer{kPacket};
  TimePoint now = at(seconds{1});
  pacer.set_rate(Rate::bits_per_second(1e9), {}, now);
  pacer.on_sent(pacer.available(kWideWindow, now));
  pacer.wait(pacer.release_at(0, kWideWindow), now);
  now += milliseconds{6};
  ASSERT_GT(pacer.available(kWideWindow, now), pacer.burst());
  pacer.wait({}, now);
  EXPECT_LE(pacer.available(kWideWindow, now), pacer.burst());
}

TEST(Pacer, AControllersQuantumShortensTheBurstOfAFastPathOnly) {
  const TimePoint now = at(seconds{1});
  const Rate rate = Rate::bits_per_second(1e9);
  const auto burst_of = [&](std::optional<ByteCount> quantum) {
    Pacer pacer{kPacket};
    pacer.set_rate(rate, quantum, now);
    return pacer.burst();
  };
  EXPECT_EQ(burst_of(50 * kPacket), 50 * kPacket);
  EXPECT_EQ(burst_of(0), 10 * kPacket);
  EXPECT_EQ(burst_of(1 << 30), rate.bytes_in(milliseconds{2}));
}

TEST(Pacer, ABurstIsTenPacketsOnASlowPath) {
  Pacer pacer{kPacket};
  pacer.set_rate(Rate::bits_per_second(10e6), {}, at(seconds{1}));
  EXPECT_EQ(pacer.available(kWideWindow, at(hours{1})), 10 * kPacket);
}

TEST(Pacer, ABurstIsTwoMillisecondsOfRateOnAFastPath) {
  Pacer pacer{kPacket};
  const Rate rate = Rate::bits_per_second(10e9);
  pacer.set_rate(rate, {}, at(seconds{1}));
  const ByteCount burst = pacer.available(kWideWindow, at(hours{1}));
  EXPECT_LE(burst, rate.bytes_in(milliseconds{2}));
  EXPECT_GT(burst + kPacket, rate.bytes_in(milliseconds{2}));
  EXPECT_GE(burst, 44 * kPacket);
}

TEST(Pacer, DoesNotWakeForEveryPacketOfAFastPath) {
  Sender sender;
  sender.pacer.set_rate(Rate::bits_per_second(1e9), {}, sender.now);
  sender.run_until(sender.now + seconds{1});
  EXPECT_GE(sender.sent / sender.wakes, 40 * kPacket);
}

TEST(Pacer, WakesNoMoreThanOnceForTwoPacketsOnASlowPath) {
  Sender sender;
  sender.pacer.set_rate(Rate::bits_per_second(1e6), {}, sender.now);
  sender.run_until(sender.now + seconds{20});
  EXPECT_LE(sender.wakes, sender.sent / (2 * kPacket) + 1);
}

TEST(Pacer, GivesAtTheTimeThatItPromised) {
  for (const double megabits : {0.013, 0.7, 3.3, 17.0, 333.3, 7777.0}) {
    Pacer pacer{kPacket};
    TimePoint now = at(seconds{7});
    pacer.set_rate(Rate::bits_per_second(megabits * 1e6), {}, now);
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
  pacer.set_rate(Rate::bits_per_second(1e9), {}, now);
  const ByteCount bytes = pacer.available(kWideWindow, now);
  pacer.on_sent(bytes);
  ASSERT_EQ(pacer.available(3 * kPacket, now), 0U);
  const Duration wait = pacer.release_at(0, 3 * kPacket) - now;
  EXPECT_LE(wait, Rate::bits_per_second(1e9).time_for(3 * kPacket) + Duration{2});
}

TEST(Pacer, ProbesMayOverdrawIt) {
  Pacer pacer{kPacket};
  const TimePoint now = at(seconds{1});
  pacer.set_rate(Rate::bytes_per_second(1e6), {}, now);
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
  pacer.set_rate(Rate::bytes_per_second(1e6), {}, now);
  pacer.on_sent(pacer.available(kWideWindow, now));
  now += Rate::bytes_per_second(1e6).time_for(5 * kPacket);
  pacer.set_rate(Rate::bytes_per_second(1), {}, now);
  EXPECT_EQ(pacer.available(kWideWindow, now), 5 * kPacket);
}

}  // namespace
}  // namespace quell
