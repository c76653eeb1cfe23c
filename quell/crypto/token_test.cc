#include "quell/crypto/token.h"

#include <gtest/gtest.h>

#include "quell/crypto/test_support.h"

namespace quell {
namespace {

class RetryTokens : public testing::Test {
 protected:
  RetryTokens() : random_(make_seeded_random(Rng{7})), key_(*random_) {}

  std::vector<std::uint8_t> make() {
    return key_.make_retry_token(client_, original_, source_, made_at_, *random_);
  }
  auto open(Bytes token, const Address& from, Duration later = {}) const {
    return key_.open_retry_token(token, from, seconds{10}, made_at_ + later);
  }

  const Address client_ = Address::v4({192, 0, 2, 1}, 4433);
  const ConnectionId original_{from_hex("8394c8f03e515708")};
  const ConnectionId source_{from_hex("f067a5502a4262b5f067a5502a4262b5f067a550")};
  const TimePoint made_at_{seconds{1000}};
  std::unique_ptr<Random> random_;
  TokenKey key_;
};

TEST_F(RetryTokens, RememberBothConnectionIds) {
  const auto opened = open(make(), client_);
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->original_destination, original_);
  EXPECT_EQ(opened->retry_source, source_);
}

TEST_F(RetryTokens, RememberEmptyAndLongestIds) {
  const ConnectionId longest{std::vector<std::uint8_t>(20, 0xee)};
  const auto opened =
      open(key_.make_retry_token(client_, longest, ConnectionId{}, made_at_, *random_), client_);
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->original_destination, longest);
  EXPECT_EQ(opened->retry_source, ConnectionId{});
}

TEST_F(RetryTokens, AreGoodForOneAddressAndPortOnly) {
  const auto token = make();
  EXPECT_FALSE(open(token, client_.with_port(4434)));
  EXPECT_FALSE(open(token, Address::v4({192, 0, 2, 2}, 4433)));
  std::array<std::uint8_t, 16> same_bytes{192, 0, 2, 1};
  EXPECT_FALSE(open(token, Address::v6(same_bytes, 4433)));
}

TEST_F(RetryTokens, AreGoodUntilTheirLifetimeEnds) {
  const auto token = make();
  EXPECT_TRUE(open(token, client_, seconds{10}));
  EXPECT_FALSE(open(token, client_, seconds{10} + nanoseconds{1}));
}

TEST_F(RetryTokens, OfAnotherProcessAreRefused) {
  const TokenKey other{*random_};
  EXPECT_FALSE(other.open_retry_token(make(), client_, seconds{10}, made_at_));
}

TEST_F(RetryTokens, AreRefusedWithAnyBitFlipped) {
  const auto token = make();
  for (std::size_t bit = 0; bit < token.size() * 8; ++bit) {
    auto damaged = token;
    damaged[bit / 8] = static_cast<std::uint8_t>(damaged[bit / 8] ^ 1U << bit % 8);
    EXPECT_FALSE(open(damaged, client_)) << "bit " << bit;
  }
}

TEST_F(RetryTokens, AreRefusedAtEveryOtherLength) {
  const auto token = make();
  for (std::size_t size = 0; size < token.size(); ++size)
    EXPECT_FALSE(open(Bytes{token}.first(size), client_));
  auto longer = token;
  while (longer.size() < 300) {
    longer.push_back(0);
    EXPECT_FALSE(open(longer, client_));
  }
}

TEST_F(RetryTokens, AreNeverTheSameTwice) {
  EXPECT_NE(make(), make());
}

TEST_F(RetryTokens, ResetTokensDependOnTheIdAndOnTheKey) {
  EXPECT_EQ(key_.reset_token(original_), key_.reset_token(original_));
  EXPECT_NE(key_.reset_token(original_), key_.reset_token(source_));
  EXPECT_NE(key_.reset_token(original_), TokenKey{*random_}.reset_token(original_));
  key_.reset_token(ConnectionId{});
}

TEST(SeededRandom, GivesTheSameBytesForTheSameSeed) {
  EXPECT_EQ(make_seeded_random(Rng{3})->u64(), make_seeded_random(Rng{3})->u64());
  EXPECT_NE(make_seeded_random(Rng{3})->u64(), make_seeded_random(Rng{4})->u64());
}

TEST(SystemRandom, NeverRepeatsItselfAcrossItsBlocks) {
  const auto random = make_system_random();
  std::vector<std::uint8_t> first(1000);
  std::vector<std::uint8_t> second(1000);
  random->fill(first);
  random->fill(second);
  EXPECT_NE(first, second);
  // A block that was handed out twice would show as equal windows of 256 bytes.
  EXPECT_FALSE(std::equal(first.begin(), first.begin() + 256, first.begin() + 256));
}

}  // namespace
}  // namespace quell
