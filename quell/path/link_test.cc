#include "quell/path/link.h"

#include <gtest/gtest.h>

namespace quell::path {
namespace {

constexpr TimePoint kStart{};

LinkConfig ten_megabits() {
  return {.delay = milliseconds{20}, .rate = Rate::bits_per_second(10e6), .queue_bytes = 5000};
}

TEST(Link, AddsSerialisationAndDelay) {
  Link link{ten_megabits(), Rng{1}};
  // 1250 bytes at 10 Mbit/s take 1 ms.
  EXPECT_EQ(link.carry(1250, kStart), kStart + milliseconds{21});
}

TEST(Link, PacketsWaitForEachOther) {
  Link link{ten_megabits(), Rng{1}};
  link.carry(1250, kStart);
  EXPECT_EQ(link.carry(1250, kStart), kStart + milliseconds{22});
  EXPECT_EQ(link.backlog(kStart), 2500U);
}

TEST(Link, DropsWhatDoesNotFitTheQueue) {
  Link link{ten_megabits(), Rng{1}};
  int accepted = 0;
  for (int i = 0; i < 10; ++i) accepted += link.carry(1250, kStart).has_value() ? 1 : 0;
  EXPECT_EQ(accepted, 4);  // 5000 bytes hold four packets of 1250, the one in transmission included
  EXPECT_TRUE(link.carry(1250, kStart + milliseconds{1}));
}

TEST(Link, AnIdleLinkTakesAnyPacket) {
  LinkConfig config = ten_megabits();
  config.queue_bytes = 0;
  Link link{config, Rng{1}};
  EXPECT_TRUE(link.carry(1250, kStart));
  EXPECT_FALSE(link.carry(1250, kStart));
}

TEST(Link, CarriesItsRateOverTime) {
  Link link{ten_megabits(), Rng{1}};
  ByteCount carried = 0;
  TimePoint now = kStart;
  TimePoint last_out = kStart;
  for (; now < kStart + seconds{2}; now += microseconds{100}) {
    if (const auto out = link.carry(1250, now)) {
      carried += 1250;
      last_out = *out;
    }
  }
  const Duration busy = last_out - kStart - milliseconds{20};
  EXPECT_NEAR(static_cast<double>(carried) / to_seconds(busy), 1.25e6, 1250);
}

TEST(Link, JitterDelaysButNeverReorders) {
  LinkConfig config{.delay = milliseconds{10}, .jitter = milliseconds{5}};
  Link link{config, Rng{7}};
  TimePoint before{};
  bool varied = false;
  for (int i = 0; i < 1000; ++i) {
    const TimePoint now = kStart + microseconds{100} * i;
    const TimePoint out = link.carry(100, now).value();
    EXPECT_GE(out, before);
    EXPECT_GE(out, now + milliseconds{10});
    EXPECT_LE(out, now + milliseconds{15});
    varied = varied || out > now + milliseconds{12};
    before = out;
  }
  EXPECT_TRUE(varied);
}

}  // namespace
}  // namespace quell::path
