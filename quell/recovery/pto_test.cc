#include "quell/recovery/pto.h"

#include <gtest/gtest.h>

namespace quell {
namespace {

TimePoint at(Duration d) {
  return TimePoint{d};
}

PtoFacts confirmed() {
  PtoFacts facts;
  facts.base = milliseconds{100};
  facts.max_ack_delay = milliseconds{25};
  facts.handshake = {.has_handshake_keys = true, .is_confirmed = true, .peer_validated_address = true};
  return facts;
}

TEST(Pto, CountsFromTheLastAckElicitingPacketAndAllowsForTheAckDelay) {
  PtoFacts facts = confirmed();
  facts.last_ack_eliciting[index(Space::application)] = at(seconds{1});
  const auto timer = next_pto(facts);
  ASSERT_TRUE(timer);
  EXPECT_EQ(timer->at, at(seconds{1} + milliseconds{125}));
  EXPECT_EQ(timer->space, Space::application);
}

TEST(Pto, HandshakePacketsAreNotDelayedByThePeer) {
  PtoFacts facts = confirmed();
  facts.last_ack_eliciting[index(Space::handshake)] = at(seconds{1});
  EXPECT_EQ(next_pto(facts)->at, at(seconds{1} + milliseconds{100}));
}

TEST(Pto, DoublesEachTimeNothingIsHeard) {
  PtoFacts facts = confirmed();
  facts.last_ack_eliciting[index(Space::application)] = at(seconds{1});
  for (std::uint32_t count = 0; count < 8; ++count) {
    facts.count = count;
    EXPECT_EQ(next_pto(facts)->at - at(seconds{1}), milliseconds{125} * (1 << count));
  }
}

TEST(Pto, NeverOverflows) {
  PtoFacts facts = confirmed();
  facts.base = hours{1};
  facts.last_ack_eliciting[index(Space::application)] = at(hours{1000});
  Duration last{0};
  for (const std::uint32_t count : {0U, 1U, 4U, 20U, 31U, 32U, 62U, 63U, 64U, 1000U, 0xffffffffU}) {
    facts.count = count;
    const Duration wait = next_pto(facts)->at - at(hours{1000});
    EXPECT_GE(wait, last) << count;
    EXPECT_GT(wait, Duration{0}) << count;
    last = wait;
  }
  EXPECT_LE(last, hours{24});
}

TEST(Pto, TheEarliestSpaceWins) {
  PtoFacts facts = confirmed();
  facts.handshake.is_confirmed = false;
  facts.last_ack_eliciting[index(Space::initial)] = at(seconds{2});
  facts.last_ack_eliciting[index(Space::handshake)] = at(seconds{1});
  EXPECT_EQ(next_pto(facts)->space, Space::handshake);
}

TEST(Pto, ApplicationDataWaitsForTheConfirmation) {
  PtoFacts facts = confirmed();
  facts.handshake.is_confirmed = false;
  facts.last_ack_eliciting[index(Space::application)] = at(seconds{1});
  EXPECT_FALSE(next_pto(facts));
}

TEST(Pto, NoneWhenNothingIsInFlight) {
  EXPECT_FALSE(next_pto(confirmed()));
}

TEST(Pto, AServerAtItsAmplificationLimitArmsNone) {
  PtoFacts facts = confirmed();
  facts.handshake.is_confirmed = false;
  facts.handshake.is_amplification_limited = true;
  facts.last_ack_eliciting[index(Space::initial)] = at(seconds{1});
  EXPECT_FALSE(next_pto(facts));
}

TEST(Pto, AClientThatMayBlockTheServerProbesWithNothingInFlight) {
  PtoFacts facts = confirmed();
  facts.handshake = {};
  facts.anti_deadlock_from = at(seconds{3});
  facts.count = 1;
  auto timer = next_pto(facts);
  ASSERT_TRUE(timer);
  EXPECT_TRUE(timer->is_anti_deadlock);
  EXPECT_EQ(timer->space, Space::initial);
  EXPECT_EQ(timer->at, at(seconds{3} + milliseconds{200}));
  facts.handshake.has_handshake_keys = true;
  EXPECT_EQ(next_pto(facts)->space, Space::handshake);
}

TEST(Pto, EarlyDataInFlightDoesNotDisarmTheAntiDeadlockProbe) {
  PtoFacts facts = confirmed();
  facts.handshake = {};
  facts.last_ack_eliciting[index(Space::application)] = at(seconds{1});
  facts.anti_deadlock_from = at(seconds{2});
  ASSERT_TRUE(next_pto(facts));
  EXPECT_TRUE(next_pto(facts)->is_anti_deadlock);
}

}  // namespace
}  // namespace quell
