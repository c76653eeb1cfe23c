#include "quell/wire/connection_id.h"

#include <gtest/gtest.h>

#include <set>
#include <vector>

namespace quell {
namespace {

ConnectionId id(std::vector<std::uint8_t> bytes) {
  return ConnectionId{bytes};
}

TEST(ConnectionId, HoldsZeroToTwentyBytes) {
  EXPECT_TRUE(ConnectionId{}.empty());
  const ConnectionId longest = id(std::vector<std::uint8_t>(20, 0xab));
  EXPECT_EQ(longest.size(), 20U);
  EXPECT_EQ(longest.bytes()[19], 0xab);
}

TEST(ConnectionId, PrintsAsLowerCaseHex) {
  EXPECT_EQ(id({0x00, 0x9f, 0xAB}).to_string(), "009fab");
  EXPECT_EQ(ConnectionId{}.to_string(), "");
}

TEST(ConnectionId, DiffersFromItselfWithATrailingZero) {
  EXPECT_NE(id({1, 2}), id({1, 2, 0}));
  EXPECT_EQ(id({1, 2}), id({1, 2}));
}

TEST(ConnectionIdDeathTest, RefusesMoreThanTwentyBytes) {
  EXPECT_DEATH(id(std::vector<std::uint8_t>(21)), "kMaxSize");
}

TEST(ConnectionIdHash, SeesSizeEveryByteAndTheKey) {
  const ConnectionIdHash hash{1};
  std::set<std::size_t> seen{hash(ConnectionId{})};
  std::size_t tried = 1;
  for (std::size_t size = 1; size <= ConnectionId::kMaxSize; ++size) {
    seen.insert(hash(id(std::vector<std::uint8_t>(size))));
    ++tried;
    for (std::size_t at = 0; at < size; ++at) {
      std::vector<std::uint8_t> bytes(size);
      bytes[at] = 1;
      seen.insert(hash(id(bytes)));
      ++tried;
    }
  }
  EXPECT_EQ(seen.size(), tried);  // 231 of 2^64: a collision would be a fault, not chance
  EXPECT_NE(hash(id({1, 2, 3})), ConnectionIdHash{2}(id({1, 2, 3})));
  EXPECT_EQ(hash(id({1, 2, 3})), ConnectionIdHash{1}(id({1, 2, 3})));
}

// Tables take the low bits: 4096 counted IDs in 64 buckets, mean 64, variance 63; six standard deviations.
TEST(ConnectionIdHash, SpreadsCountedIdsOverTheBuckets) {
  const ConnectionIdHash hash{0x1234};
  std::array<int, 64> buckets{};
  for (unsigned i = 0; i < 4096; ++i) {
    const auto low = static_cast<std::uint8_t>(i);
    const auto high = static_cast<std::uint8_t>(i >> 8);
    ++buckets.at(hash(id({0, 0, 0, 0, 0, 0, high, low})) % buckets.size());
  }
  for (const int count : buckets) EXPECT_NEAR(count, 64, 6 * 7.94);
}

}  // namespace
}  // namespace quell
