#include "quell/base/range_set.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>
#include <vector>

namespace quell {
namespace {

using Model = std::set<std::uint64_t>;

// Small numbers, so that ranges touch, overlap and swallow each other often.
constexpr std::uint64_t kUniverse = 64;

std::vector<Range> ranges_of(const Model& model) {
  std::vector<Range> ranges;
  for (const std::uint64_t n : model) {
    if (!ranges.empty() && ranges.back().end == n) {
      ++ranges.back().end;
    } else {
      ranges.push_back({n, n + 1});
    }
  }
  return ranges;
}

void check_same(const RangeSet& set, const Model& model) {
  RC_ASSERT(set.ranges() == ranges_of(model));  // sorted, disjoint and not adjacent by construction
  RC_ASSERT(set.total() == model.size());
  RC_ASSERT(set.empty() == model.empty());
  RC_ASSERT(set.range_count() == ranges_of(model).size());
  if (!model.empty()) {
    RC_ASSERT(set.lowest() == *model.begin());
    RC_ASSERT(set.highest() == *model.rbegin());
  }
  for (std::uint64_t n = 0; n <= kUniverse; ++n) RC_ASSERT(set.contains(n) == model.contains(n));
}

std::uint64_t add(Model& model, std::uint64_t first, std::uint64_t end) {
  std::uint64_t added = 0;
  for (std::uint64_t n = first; n < end; ++n) added += model.insert(n).second ? 1U : 0U;
  return added;
}

std::uint64_t remove(Model& model, std::uint64_t first, std::uint64_t end) {
  std::uint64_t removed = 0;
  for (std::uint64_t n = first; n < end; ++n) removed += model.erase(n);
  return removed;
}

bool contains(const Model& model, std::uint64_t first, std::uint64_t end) {
  for (std::uint64_t n = first; n < end; ++n) {
    if (!model.contains(n)) return false;
  }
  return true;
}

void keep_highest(Model& model, std::size_t count) {
  const std::vector<Range> ranges = ranges_of(model);
  if (ranges.size() <= count) return;
  if (count == 0) {
    model.clear();
  } else {
    remove(model, 0, ranges[ranges.size() - count].first);
  }
}

RC_GTEST_PROP(RangeSetProperty, BehavesLikeASetOfNumbers, ()) {
  RangeSet set;
  Model model;
  const auto steps = *rc::gen::inRange(1, 60);
  for (int i = 0; i < steps; ++i) {
    const auto first = *rc::gen::inRange<std::uint64_t>(0, kUniverse);
    const auto end = *rc::gen::inRange<std::uint64_t>(first, kUniverse + 1);
    switch (*rc::gen::weightedElement<int>({{6, 0}, {3, 1}, {1, 2}, {1, 3}})) {
      case 0:
        RC_ASSERT(set.add(first, end) == add(model, first, end));
        break;
      case 1:
        RC_ASSERT(set.remove(first, end) == remove(model, first, end));
        break;
      case 2:
        set.remove_below(first);
        remove(model, 0, first);
        break;
      default:
        set.keep_highest(end - first);
        keep_highest(model, end - first);
        break;
    }
    RC_ASSERT(set.contains(first, end) == contains(model, first, end));
    check_same(set, model);
  }
}

TEST(RangeSet, JoinsNeighbours) {
  RangeSet set;
  set.add(0, 10);
  set.add(20, 30);
  EXPECT_EQ(set.add(10, 20), 10U);
  EXPECT_EQ(set.ranges(), (std::vector<Range>{{0, 30}}));
}

TEST(RangeSet, CountsOnlyWhatWasNew) {
  RangeSet set;
  EXPECT_EQ(set.add(5, 10), 5U);
  EXPECT_EQ(set.add(0, 20), 15U);
  EXPECT_EQ(set.add(3, 17), 0U);
}

TEST(RangeSet, CutsAHoleIntoARange) {
  RangeSet set;
  set.add(0, 10);
  EXPECT_EQ(set.remove(3, 7), 4U);
  EXPECT_EQ(set.ranges(), (std::vector<Range>{{0, 3}, {7, 10}}));
}

TEST(RangeSet, HoldsNumbersUpToTheLargestPacketNumber) {
  constexpr std::uint64_t kLargest = (std::uint64_t{1} << 62) - 1;
  RangeSet set;
  set.add(kLargest, kLargest + 1);
  EXPECT_TRUE(set.contains(kLargest));
  EXPECT_EQ(set.highest(), kLargest);
}

TEST(RangeSetDeathTest, RefusesARangeThatEndsBeforeItBegins) {
  RangeSet set;
  EXPECT_DEATH(set.add(2, 1), "first <= end");
}

}  // namespace
}  // namespace quell
