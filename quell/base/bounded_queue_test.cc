#include "quell/base/bounded_queue.h"

#include <gtest/gtest.h>

#include <memory>

namespace quell {
namespace {

TEST(BoundedQueue, GivesBackInOrder) {
  BoundedQueue<int> queue{3};
  EXPECT_TRUE(queue.push(1));
  EXPECT_TRUE(queue.push(2));
  EXPECT_EQ(queue.pop(), 1);
  EXPECT_EQ(queue.front(), 2);
  EXPECT_EQ(queue.pop(), 2);
  EXPECT_TRUE(queue.empty());
}

TEST(BoundedQueue, RefusesWhatGoesBeyondItsLimit) {
  BoundedQueue<int> queue{2};
  EXPECT_TRUE(queue.push(1));
  EXPECT_FALSE(queue.full());
  EXPECT_TRUE(queue.push(2));
  EXPECT_TRUE(queue.full());
  EXPECT_FALSE(queue.push(3));
  EXPECT_EQ(queue.size(), queue.limit());
  EXPECT_EQ(queue.pop(), 1);
  EXPECT_TRUE(queue.push(4));
  EXPECT_EQ(queue.pop(), 2);
  EXPECT_EQ(queue.pop(), 4);
}

TEST(BoundedQueue, OfLimitZeroHoldsNothing) {
  BoundedQueue<int> queue{0};
  EXPECT_FALSE(queue.push(1));
  EXPECT_TRUE(queue.empty());
}

TEST(BoundedQueue, MovesItsItems) {
  BoundedQueue<std::unique_ptr<int>> queue{1};
  EXPECT_TRUE(queue.push(std::make_unique<int>(7)));
  EXPECT_EQ(*queue.pop(), 7);
}

}  // namespace
}  // namespace quell
