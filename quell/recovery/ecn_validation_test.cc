#include "quell/recovery/ecn_validation.h"

#include <gtest/gtest.h>

namespace quell {
namespace {

using State = EcnValidation::State;
constexpr Space kApp = Space::application;
TimePoint at(Duration d) {
  return TimePoint{d};
}

struct EcnPath : ::testing::Test {
  EcnValidation ecn{true};
  void send(int count) {
    for (int i = 0; i < count; ++i) ecn.on_sent(kApp, ecn.codepoint(), at(seconds{1}));
  }
};

TEST_F(EcnPath, TheFirstTenPacketsAreMarkedThenNoneUntilAnAnswer) {
  for (int i = 0; i < 10; ++i) {
    EXPECT_EQ(ecn.codepoint(), Ecn::ect0);
    send(1);
  }
  EXPECT_EQ(ecn.state(), State::unknown);
  EXPECT_EQ(ecn.codepoint(), Ecn::not_ect);
}

TEST_F(EcnPath, TestingEndsAfterThreePtos) {
  send(1);
  ecn.on_time(milliseconds{100}, at(seconds{1} + milliseconds{299}));
  EXPECT_EQ(ecn.state(), State::testing);
  ecn.on_time(milliseconds{100}, at(seconds{1} + milliseconds{300}));
  EXPECT_EQ(ecn.state(), State::unknown);
}

TEST_F(EcnPath, CountsThatCoverTheMarkedPacketsMakeThePathCapable) {
  send(10);
  EXPECT_EQ(ecn.on_ack(kApp, EcnCounts{.ect0 = 2}, 2), (EcnCounts{.ect0 = 2}));
  EXPECT_EQ(ecn.state(), State::capable);
  EXPECT_EQ(ecn.codepoint(), Ecn::ect0);
}

TEST_F(EcnPath, MissingCountsFail) {
  send(10);
  ecn.on_ack(kApp, std::nullopt, 1);
  EXPECT_EQ(ecn.state(), State::failed);
}

TEST_F(EcnPath, MissingCountsAreFineWhenNoMarkedPacketIsAcknowledged) {
  send(10);
  ecn.on_ack(kApp, std::nullopt, 0);
  EXPECT_EQ(ecn.state(), State::unknown);
}

TEST_F(EcnPath, CountsThatDoNotCoverTheNewlyAcknowledgedFail) {
  send(10);
  ecn.on_ack(kApp, EcnCounts{.ect0 = 1}, 2);
  EXPECT_EQ(ecn.state(), State::failed);
}

TEST_F(EcnPath, CountsThatShrinkFail) {
  send(10);
  ecn.on_ack(kApp, EcnCounts{.ect0 = 4, .ce = 1}, 5);
  ecn.on_ack(kApp, EcnCounts{.ect0 = 6, .ce = 0}, 1);
  EXPECT_EQ(ecn.state(), State::failed);
}

TEST_F(EcnPath, MoreMarksThanWereSentFail) {
  send(10);
  ecn.on_ack(kApp, EcnCounts{.ect0 = 11}, 1);
  EXPECT_EQ(ecn.state(), State::failed);
}

TEST_F(EcnPath, MarksOfACodepointThatWasNeverAppliedFail) {
  send(10);
  ecn.on_ack(kApp, EcnCounts{.ect0 = 1, .ect1 = 1}, 1);
  EXPECT_EQ(ecn.state(), State::failed);
}

TEST_F(EcnPath, MoreThanTheNewlyAcknowledgedIsNoFault) {
  send(10);  // an ACK was lost on its way
  ecn.on_ack(kApp, EcnCounts{.ect0 = 7}, 1);
  EXPECT_EQ(ecn.state(), State::capable);
}

TEST_F(EcnPath, CongestionMarksAreTheDifferenceOfTwoCounts) {
  send(10);
  ecn.on_ack(kApp, EcnCounts{.ect0 = 2, .ce = 1}, 3);
  EXPECT_EQ(ecn.on_ack(kApp, EcnCounts{.ect0 = 3, .ce = 3}, 3).ce, 2U);
}

TEST_F(EcnPath, SpacesCountApart) {
  ecn.on_sent(Space::initial, Ecn::ect0, at(seconds{1}));
  send(9);
  ecn.on_ack(Space::initial, EcnCounts{.ect0 = 1}, 1);
  ecn.on_ack(kApp, EcnCounts{.ect0 = 1}, 1);
  EXPECT_EQ(ecn.state(), State::capable);
}

TEST_F(EcnPath, APathThatSwallowsEveryMarkedPacketFails) {
  send(10);
  for (int i = 0; i < 9; ++i) ecn.on_lost(Ecn::ect0);
  EXPECT_EQ(ecn.state(), State::unknown);
  ecn.on_lost(Ecn::ect0);
  EXPECT_EQ(ecn.state(), State::failed);
}

TEST_F(EcnPath, AnAckThatProvesNothingStillSaysThatThePacketsArrived) {
  send(10);
  ecn.on_acked(1);
  for (int i = 0; i < 9; ++i) ecn.on_lost(Ecn::ect0);
  EXPECT_EQ(ecn.state(), State::unknown);
}

TEST_F(EcnPath, TwoPtosInARowStopTheMarking) {
  send(3);
  ecn.on_pto(1);
  EXPECT_EQ(ecn.codepoint(), Ecn::ect0);
  ecn.on_pto(2);
  EXPECT_EQ(ecn.codepoint(), Ecn::not_ect);
  for (int i = 0; i < 3; ++i) ecn.on_lost(Ecn::ect0);  // unmarked probes arrived
  EXPECT_EQ(ecn.state(), State::failed);
}

TEST_F(EcnPath, APathThatWasCapableAndSwallowsMarkedPacketsNowFails) {
  send(10);
  ecn.on_ack(kApp, EcnCounts{.ect0 = 10}, 10);
  send(7);
  ecn.on_pto(2);
  EXPECT_EQ(ecn.state(), State::unknown);
  ecn.on_ack(kApp, EcnCounts{.ect0 = 10}, 0);  // of an unmarked probe
  EXPECT_EQ(ecn.codepoint(), Ecn::not_ect);
  for (int i = 0; i < 7; ++i) ecn.on_lost(Ecn::ect0);
  EXPECT_EQ(ecn.state(), State::failed);
}

TEST_F(EcnPath, AMarkedPacketThatArrivesAfterASilenceClearsThePath) {
  send(10);
  ecn.on_ack(kApp, EcnCounts{.ect0 = 10}, 10);
  send(4);
  ecn.on_pto(2);
  EXPECT_EQ(ecn.on_ack(kApp, EcnCounts{.ect0 = 10, .ce = 1}, 1).ce, 1U);
  EXPECT_EQ(ecn.state(), State::capable);
}

TEST_F(EcnPath, ASilenceWithoutMarkedPacketsOnTheirWayIsNotTheirFault) {
  ecn.on_pto(2);
  EXPECT_EQ(ecn.state(), State::testing);
}

TEST_F(EcnPath, APathThatMarksEverythingFails) {
  send(10);
  EXPECT_EQ(ecn.on_ack(kApp, EcnCounts{.ce = 10}, 10).ce, 0U);
  EXPECT_EQ(ecn.state(), State::failed);
}

TEST_F(EcnPath, OnceFailedItStaysFailedAndSaysNothing) {
  send(10);
  ecn.on_ack(kApp, std::nullopt, 1);
  EXPECT_EQ(ecn.on_ack(kApp, EcnCounts{.ect0 = 5, .ce = 5}, 1).ce, 0U);
  EXPECT_EQ(ecn.codepoint(), Ecn::not_ect);
}

TEST(EcnOff, MarksNothing) {
  EXPECT_EQ(EcnValidation{false}.codepoint(), Ecn::not_ect);
}

}  // namespace
}  // namespace quell
