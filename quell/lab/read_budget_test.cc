#include "quell/lab/read_budget.h"

#include <gtest/gtest.h>

namespace quell::lab {
namespace {

TEST(ReadBudget, IsEndlessWithoutARate) {
  EXPECT_GT(ReadBudget{Rate::unlimited()}.available(TimePoint{seconds{1}}), std::size_t{1} << 60);
}

TEST(ReadBudget, WakesWhenAPieceMayBeReadAndNeverExceedsItsRate) {
  const Rate rate = Rate::bytes_per_second(100'000);
  ReadBudget budget{rate};
  const TimePoint begin{seconds{1}};
  TimePoint now = begin;
  ByteCount read = 0;
  EXPECT_EQ(budget.available(now), 0U);
  for (int i = 0; i < 100; ++i) {
    now = budget.available_at();
    const std::size_t size = budget.available(now);
    ASSERT_GE(size, ReadBudget::kPiece);
    budget.on_read(size);
    read += size;
    ASSERT_LE(read, rate.bytes_in(now - begin));
  }
  EXPECT_GE(read, 100 * ReadBudget::kPiece);
}

}  // namespace
}  // namespace quell::lab
