#include "quell/path/drop_tail.h"

#include <gtest/gtest.h>

namespace quell::path {
namespace {

constexpr TimePoint kStart{};

DropTail ten_megabits(ByteCount queue = 5000) {
  return {queue, RateSchedule{Rate::bits_per_second(10e6)}};
}

TEST(DropTail, AddsSerialisation) {
  DropTail link = ten_megabits();
  // 1250 bytes at 10 Mbit/s take 1 ms.
  EXPECT_EQ(link.carry(1250, kStart)->leaves, kStart + milliseconds{1});
}

TEST(DropTail, PacketsWaitForEachOther) {
  DropTail link = ten_megabits();
  link.carry(1250, kStart);
  const auto second = link.carry(1250, kStart);
  EXPECT_EQ(second->begins, kStart + milliseconds{1});
  EXPECT_EQ(second->leaves, kStart + milliseconds{2});
  EXPECT_EQ(link.backlog(kStart), 2500U);
}

TEST(DropTail, DropsWhatDoesNotFitTheQueue) {
  DropTail link = ten_megabits();
  int accepted = 0;
  for (int i = 0; i < 10; ++i) accepted += link.carry(1250, kStart).has_value() ? 1 : 0;
  EXPECT_EQ(accepted, 4);  // 5000 bytes hold four packets of 1250, the one in transmission included
  EXPECT_TRUE(link.carry(1250, kStart + milliseconds{1}));
}

TEST(DropTail, AnIdleLinkTakesAnyPacket) {
  DropTail link = ten_megabits(0);
  EXPECT_TRUE(link.carry(1250, kStart));
  EXPECT_FALSE(link.carry(1250, kStart));
}

TEST(DropTail, CarriesItsRateOverTime) {
  DropTail link = ten_megabits();
  ByteCount carried = 0;
  TimePoint now = kStart;
  TimePoint last_out = kStart;
  for (; now < kStart + seconds{2}; now += microseconds{100}) {
    if (const auto out = link.carry(1250, now)) {
      carried += 1250;
      last_out = out->leaves;
    }
  }
  const Duration busy = last_out - kStart;
  EXPECT_NEAR(static_cast<double>(carried) / to_seconds(busy), 1.25e6, 1250);
}

}  // namespace
}  // namespace quell::path
