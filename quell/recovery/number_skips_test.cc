#include "quell/recovery/number_skips.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "quell/recovery/test_support.h"

namespace quell {
namespace {

using testing::Ack;

// The numbers that a sender of `end` packets leaves out.
std::vector<PacketNumber> skipped_below(NumberSkips& skips, PacketNumber end, ByteCount window_packets) {
  std::vector<PacketNumber> out;
  for (PacketNumber n = 0; n < end; ++n) {
    if (!skips.is_due(n + 1)) continue;
    out.push_back(++n);
    skips.on_skipped(window_packets);
  }
  return out;
}

TEST(NumberSkips, WithoutChanceNothingIsSkipped) {
  NumberSkips skips{std::nullopt};
  EXPECT_TRUE(skipped_below(skips, 100'000, 10).empty());
}

TEST(NumberSkips, TheSameSeedSkipsTheSame) {
  NumberSkips one{Rng{7}};
  NumberSkips two{Rng{7}};
  EXPECT_EQ(skipped_below(one, 10'000, 10), skipped_below(two, 10'000, 10));
}

TEST(NumberSkips, LieHalfToOneAndAHalfMeansApart) {
  for (const ByteCount window : {ByteCount{2}, ByteCount{1000}}) {
    NumberSkips skips{Rng{3}};
    const auto skipped = skipped_below(skips, 200'000, window);
    const ByteCount mean = std::max<ByteCount>(128, 2 * window);
    ASSERT_GE(skipped.size(), 200'000 / mean * 2 / 3);
    for (std::size_t i = 2; i < skipped.size(); ++i) {
      EXPECT_GE(skipped[i] - skipped[i - 1], mean / 2);
      EXPECT_LT(skipped[i] - skipped[i - 1], mean / 2 + mean);
    }
  }
}

TEST(NumberSkips, AnAckThatNamesOneIsSeenWhereverItStandsInTheFrame) {
  NumberSkips skips{Rng{5}};
  const auto skipped = skipped_below(skips, 400, 10);
  ASSERT_GE(skipped.size(), 2U);
  const PacketNumber s = skipped.back();
  const PacketNumber t = skipped[skipped.size() - 2];
  EXPECT_TRUE(skips.are_covered_by(Ack{{s, s}}.frame()));
  EXPECT_TRUE(skips.are_covered_by(Ack{{0, 399}}.frame()));
  EXPECT_TRUE(skips.are_covered_by(Ack{{t - 1, t}, {s + 1, s + 9}}.frame()));
  EXPECT_TRUE(skips.are_covered_by(Ack{{t, t + 1}, {s + 1, s + 1}, {s + 3, s + 9}}.frame()));
}

TEST(NumberSkips, AnHonestAckIsNot) {
  NumberSkips skips{Rng{5}};
  const auto skipped = skipped_below(skips, 400, 10);
  const PacketNumber s = skipped.back();
  const PacketNumber t = skipped[skipped.size() - 2];
  EXPECT_FALSE(skips.are_covered_by(Ack{{t + 1, s - 1}, {s + 1, s + 9}}.frame()));
  EXPECT_FALSE(skips.are_covered_by(Ack{{s + 1, s + 9}}.frame()));
  EXPECT_FALSE(skips.are_covered_by(Ack{{t + 1, t + 1}}.frame()));
}

}  // namespace
}  // namespace quell
