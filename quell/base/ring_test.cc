#include "quell/base/ring.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <deque>
#include <vector>

namespace quell {
namespace {

TEST(Ring, KeepsEveryRecordUnderItsNumberWhileItGrows) {
  Ring<std::uint64_t> ring;
  for (std::uint64_t n = 0; n < 1000; ++n) ring.push_back() = n * n;
  for (std::uint64_t n = 0; n < 1000; ++n) EXPECT_EQ(ring[n], n * n);
  EXPECT_EQ(ring.first(), 0U);
  EXPECT_EQ(ring.end(), 1000U);
}

TEST(Ring, StartsAgainAtAnyNumber) {
  Ring<int> ring;
  ring.push_back() = 1;
  ring.restart_at(77);
  EXPECT_TRUE(ring.empty());
  ring.push_back() = 5;
  EXPECT_TRUE(ring.contains(77));
  EXPECT_FALSE(ring.contains(76));
  EXPECT_FALSE(ring.contains(78));
  EXPECT_EQ(ring[77], 5);
}

// The same walk on a deque with an explicit first number.
RC_GTEST_PROP(RingProperty, BehavesLikeANumberedDeque, ()) {
  Ring<int> ring;
  std::deque<int> model;
  auto first = *rc::gen::inRange<std::uint64_t>(0, 1000);
  ring.restart_at(first);
  for (const int value : *rc::gen::container<std::vector<int>>(rc::gen::inRange(-40, 100))) {
    if (value >= 0) {
      ring.push_back() = value;
      model.push_back(value);
    } else if (!model.empty()) {
      ring.pop_front();
      model.pop_front();
      ++first;
    }
    RC_ASSERT(ring.first() == first);
    RC_ASSERT(ring.size() == model.size());
    for (std::size_t i = 0; i < model.size(); ++i) RC_ASSERT(ring[first + i] == model[i]);
  }
}

TEST(RingDeathTest, RefusesToPopWhenEmpty) {
  Ring<int> ring;
  EXPECT_DEATH(ring.pop_front(), "empty");
}

}  // namespace
}  // namespace quell
