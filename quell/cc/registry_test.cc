// Is every controller found under its name, and does it keep the contract's small print?
#include "quell/cc/registry.h"

#include <gtest/gtest.h>

#include <set>

namespace quell::cc {
namespace {

TEST(Registry, FindsEveryEntryUnderTheNameThatItsControllerBears) {
  std::set<std::string_view> names;
  for (const Entry& entry : entries()) {
    EXPECT_EQ(find(entry.name), &entry);
    EXPECT_EQ(entry.make({})->traits().name, entry.name);
    EXPECT_TRUE(names.insert(entry.name).second) << entry.name;
    EXPECT_FALSE(entry.summary.empty());
  }
}

TEST(Registry, KnowsNothingOfOtherNames) {
  EXPECT_EQ(find("vegas"), nullptr);
}

TEST(Registry, FindsWhatIsAddedAndRefusesATakenName) {
  const Entry* cubic = find("cubic");
  EXPECT_FALSE(add(*cubic));
  EXPECT_TRUE(add({.name = "added", .summary = "a test's own", .make = cubic->make}));
  EXPECT_FALSE(add({.name = "added", .summary = "the same again", .make = cubic->make}));
  ASSERT_NE(find("added"), nullptr);
  EXPECT_EQ(find("added")->make, cubic->make);
}

TEST(Registry, HasTheDefaultAndItIsNoSpecimen) {
  ASSERT_NE(find(kDefaultController), nullptr);
  EXPECT_FALSE(find(kDefaultController)->is_specimen);
}

TEST(Registry, StartsEveryControllerAtLeastAtItsFloor) {
  for (const Entry& entry : entries()) {
    const auto controller = entry.make({.initial_window = 1, .fixed_window = 1});
    EXPECT_GE(controller->cwnd(), controller->traits().least_window_packets * Config{}.max_datagram_size);
  }
}

// RFC 9002 §7.2.
TEST(InitialWindow, IsTenPacketsWithin14720BytesOrTwoPackets) {
  EXPECT_EQ(initial_window({.max_datagram_size = 1'200}), 12'000u);
  EXPECT_EQ(initial_window({.max_datagram_size = 1'500}), 14'720u);
  EXPECT_EQ(initial_window({.max_datagram_size = 9'000}), 18'000u);
  EXPECT_EQ(initial_window({.max_datagram_size = 1'200, .initial_window = 50'000}), 50'000u);
}

TEST(FixedWindow, HearsNothing) {
  const auto controller = find("fixed-window")->make({.max_datagram_size = 1'000, .fixed_window = 123'456});
  controller->on_ack({.acked_bytes = 5'000, .growable_bytes = 5'000}, TimePoint{});
  controller->on_congestion({.cause = CongestionCause::persistent}, TimePoint{});
  controller->on_path_reset(TimePoint{});
  EXPECT_EQ(controller->cwnd(), 123'456u);
}

TEST(FixedWindow, IsThirtyTwoPacketsUnlessTold) {
  const auto controller = find("fixed-window")->make({.max_datagram_size = 1'000});
  EXPECT_EQ(controller->cwnd(), 32'000u);
  controller->on_mtu(1'000, 1'400, TimePoint{});
  EXPECT_EQ(controller->cwnd(), 44'800u);
}

}  // namespace
}  // namespace quell::cc
