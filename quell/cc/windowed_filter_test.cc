#include "quell/cc/windowed_filter.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <utility>
#include <vector>

namespace quell::cc {
namespace {

TEST(WindowedMax, ForgetsWhatIsOlderThanItsTicks) {
  WindowedMax<int, 2> filter;
  EXPECT_EQ(filter.best(), 0);
  EXPECT_EQ(filter.update(9, 0, 2), 9);
  EXPECT_EQ(filter.update(5, 1, 2), 9);
  EXPECT_EQ(filter.update(3, 2, 2), 5);
  EXPECT_EQ(filter.update(3, 9, 2), 3);
}

TEST(WindowedMax, AShorterWindowForgetsSooner) {
  WindowedMax<int, 10> filter;
  filter.update(9, 0, 10);
  EXPECT_EQ(filter.update(5, 3, 10), 9);
  EXPECT_EQ(filter.update(4, 4, 1), 4);
}

RC_GTEST_PROP(WindowedMax, IsTheMaximumOfTheWindow, (const std::vector<std::pair<int, bool>>& steps)) {
  const auto ticks = *rc::gen::inRange<std::size_t>(1, 11);
  WindowedMax<int, 10> filter;
  std::vector<std::pair<std::uint64_t, int>> all;
  std::uint64_t tick = 0;
  for (const auto& [value, advances] : steps) {
    if (advances) ++tick;
    all.emplace_back(tick, value);
    int most = value;
    for (const auto& [at, old] : all) {
      if (at + ticks > tick) most = std::max(most, old);
    }
    RC_ASSERT(filter.update(value, tick, ticks) == most);
    RC_ASSERT(filter.best() == most);
  }
}

}  // namespace
}  // namespace quell::cc
