#include "quell/base/event_queue.h"

#include <gtest/gtest.h>

#include <string>

namespace quell {
namespace {

TEST(EventQueue, OrdersByTimeThenByInsertion) {
  EventQueue<char> queue;
  queue.push(TimePoint{seconds{2}}, 'c');
  queue.push(TimePoint{seconds{1}}, 'a');
  queue.push(TimePoint{seconds{1}}, 'b');
  std::string order;
  while (!queue.empty()) order += queue.pop();
  EXPECT_EQ(order, "abc");
}

}  // namespace
}  // namespace quell
