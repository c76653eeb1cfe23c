#include "quell/base/rng.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <vector>

namespace quell {
namespace {

constexpr int kDraws = 100000;
// Six standard deviations: for a fixed seed the outcome never changes; for a new one it fails once in 5·10⁸.
constexpr double kSigmas = 6;

std::vector<std::uint64_t> draw(Rng rng, int count) {
  std::vector<std::uint64_t> values;
  for (int i = 0; i < count; ++i) values.push_back(rng.next());
  return values;
}

TEST(Rng, OfEqualSeedsDrawsEqually) {
  EXPECT_EQ(draw(Rng{42}, 100), draw(Rng{42}, 100));
  EXPECT_NE(draw(Rng{42}, 100), draw(Rng{43}, 100));
}

// The published reference of xoshiro256**, seeded by SplitMix64 from zero, begins with this number: the state
// words are 0xe220a8397b1dcdaf, 0x6e789e6aa1b965f4, …, and the output is rotl(s[1] * 5, 7) * 9.
TEST(Rng, IsXoshiro256StarStarSeededBySplitMix64) {
  const std::uint64_t s1 = 0x6e789e6aa1b965f4ULL;
  const std::uint64_t times5 = s1 * 5;
  EXPECT_EQ(Rng{0}.next(), (times5 << 7 | times5 >> 57) * 9);
}

TEST(Rng, ForksWithoutAdvancing) {
  Rng forked{7};
  const Rng untouched{7};
  forked.fork("a");
  forked.fork("b");
  EXPECT_EQ(draw(forked, 10), draw(untouched, 10));
}

TEST(Rng, ForksByLabelAndState) {
  const Rng parent{7};
  EXPECT_EQ(draw(parent.fork("cid"), 10), draw(parent.fork("cid"), 10));
  EXPECT_NE(draw(parent.fork("cid"), 10), draw(parent.fork("loss"), 10));
  EXPECT_NE(draw(parent.fork("cid"), 10), draw(Rng{8}.fork("cid"), 10));
  EXPECT_NE(draw(parent.fork("cid"), 10), draw(parent, 10));
}

// Bits of two independent streams agree half of the time: mean 32 of 64 per pair, variance 16.
TEST(Rng, ForksAreIndependentOfTheirParentAndSiblings) {
  const Rng parent{11};
  const auto agreement = [](const std::vector<std::uint64_t>& a, const std::vector<std::uint64_t>& b) {
    double same = 0;
    for (std::size_t i = 0; i < a.size(); ++i) same += std::popcount(~(a[i] ^ b[i]));
    return same;
  };
  constexpr int kPairs = 1000;
  const double bound = kSigmas * std::sqrt(16.0 * kPairs);
  EXPECT_NEAR(agreement(draw(parent, kPairs), draw(parent.fork("a"), kPairs)), 32.0 * kPairs, bound);
  EXPECT_NEAR(agreement(draw(parent.fork("a"), kPairs), draw(parent.fork("b"), kPairs)), 32.0 * kPairs,
              bound);
}

TEST(Rng, DrawsBelowABoundUniformly) {
  Rng rng{1};
  std::array<int, 10> counts{};
  for (int i = 0; i < kDraws; ++i) ++counts.at(rng.below(counts.size()));
  const double sigma = std::sqrt(kDraws * 0.1 * 0.9);
  for (const int count : counts) EXPECT_NEAR(count, kDraws * 0.1, kSigmas * sigma);
}

TEST(Rng, DrawsTheOnlyNumberBelowOne) {
  EXPECT_EQ(Rng{3}.below(1), 0U);
}

TEST(Rng, DrawsRealsInTheUnitInterval) {
  Rng rng{2};
  double sum = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = rng.real();
    ASSERT_GE(x, 0);
    ASSERT_LT(x, 1);
    sum += x;
  }
  EXPECT_NEAR(sum / kDraws, 0.5, kSigmas * std::sqrt(1.0 / 12 / kDraws));
}

TEST(Rng, TakesAChanceAsOftenAsAsked) {
  Rng rng{3};
  constexpr double kChance = 0.01;
  int hits = 0;
  for (int i = 0; i < kDraws; ++i) hits += rng.chance(kChance) ? 1 : 0;
  EXPECT_NEAR(hits, kDraws * kChance, kSigmas * std::sqrt(kDraws * kChance * (1 - kChance)));
}

TEST(Rng, NeverTakesAChanceOfZeroAndAlwaysOneOfOne) {
  Rng rng{4};
  for (int i = 0; i < 1000; ++i) {
    EXPECT_FALSE(rng.chance(0));
    EXPECT_TRUE(rng.chance(1));
    EXPECT_FALSE(rng.chance(-1));
    EXPECT_TRUE(rng.chance(2));
  }
}

// An exponential's mean equals its standard deviation; P(X > mean) = 1/e.
TEST(Rng, DrawsExponentialsOfTheGivenMean) {
  Rng rng{5};
  constexpr double kMean = 3;
  double sum = 0;
  int above = 0;
  for (int i = 0; i < kDraws; ++i) {
    const double x = rng.exponential(kMean);
    ASSERT_GE(x, 0);
    sum += x;
    above += x > kMean ? 1 : 0;
  }
  const double tail = std::exp(-1.0);
  EXPECT_NEAR(sum / kDraws, kMean, kSigmas * kMean / std::sqrt(kDraws));
  EXPECT_NEAR(above, kDraws * tail, kSigmas * std::sqrt(kDraws * tail * (1 - tail)));
}

TEST(Rng, FillsEveryByte) {
  Rng rng{6};
  std::array<int, 19> nonzero{};
  for (int i = 0; i < 100; ++i) {
    std::array<std::uint8_t, 19> bytes{};
    rng.fill(bytes);
    for (std::size_t k = 0; k < bytes.size(); ++k) nonzero.at(k) += bytes.at(k) != 0 ? 1 : 0;
  }
  for (const int count : nonzero) EXPECT_GT(count, 50);  // P(zero) is 1/256 each
}

TEST(RngDeathTest, RefusesABoundOfZero) {
  Rng rng{1};
  EXPECT_DEATH(rng.below(0), "bound > 0");
}

}  // namespace
}  // namespace quell
