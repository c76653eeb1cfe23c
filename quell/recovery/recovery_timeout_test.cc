// What does recovery do in silence: probes, the loss timer, keys that go?
#include <gtest/gtest.h>

#include "quell/recovery/test_support.h"

namespace quell {
namespace {

using testing::Ack;
using testing::ids;
using testing::kPacket;
using testing::World;
using Numbers = std::vector<PacketNumber>;

TEST(RecoveryTimeout, APtoAsksForTwoProbesAndLosesNothing) {
  World w;
  w.warm_up(milliseconds{40});
  w.send_many(3);
  const TimePoint due = *w.recovery.next_timeout();
  EXPECT_EQ(due - w.now, w.recovery.pto());
  w.now = due;
  const TimeoutOutcome outcome = w.recovery.on_timeout(w.now);
  EXPECT_EQ(outcome.probe_space, Space::application);
  EXPECT_EQ(ids(outcome.probe), (Numbers{1, 2}));
  EXPECT_TRUE(outcome.lost.empty());
  EXPECT_EQ(w.recovery.probes_owed(Space::application), 2U);
  EXPECT_EQ(w.recovery.bytes_in_flight(), 3 * kPacket);
  w.send();
  EXPECT_EQ(w.recovery.probes_owed(Space::application), 1U);
}

TEST(RecoveryTimeout, ProbeGapsDoubleAndAnAckResetsThem) {
  World w;
  w.warm_up(milliseconds{40});
  PacketNumber last = w.send();
  Duration gap = w.recovery.pto();
  for (int i = 0; i < 6; ++i) {
    const TimePoint due = *w.recovery.next_timeout();
    ASSERT_EQ(due - w.now, gap);
    w.now = due;
    ASSERT_TRUE(w.recovery.on_timeout(w.now).probe_space);
    last = w.send();
    gap *= 2;
  }
  w.ack(last, last);
  EXPECT_EQ(w.recovery.pto_count(), 0U);
}

TEST(RecoveryTimeout, AnEarlyTimeoutDoesNothing) {
  World w;
  w.warm_up(milliseconds{40});
  w.send();
  EXPECT_FALSE(w.recovery.on_timeout(w.now).probe_space);
  EXPECT_EQ(w.recovery.pto_count(), 0U);
}

TEST(RecoveryTimeout, TheLossTimerComesBeforeThePto) {
  World w;
  w.warm_up(milliseconds{40});
  w.send_many(2);
  w.now += milliseconds{40};
  w.ack(2, 2);
  const TimePoint due = *w.recovery.next_timeout();
  EXPECT_EQ(due, w.now + milliseconds{5});  // 9/8 × 40 − 40
  w.now = due;
  const TimeoutOutcome outcome = w.recovery.on_timeout(w.now);
  EXPECT_EQ(ids(outcome.lost), Numbers{1});
  EXPECT_FALSE(outcome.probe_space);
  EXPECT_FALSE(w.recovery.next_timeout());
}

TEST(RecoveryTimeout, AClientThatMayBlockTheServerKeepsProbing) {
  World w;
  w.recovery.set_handshake_facts({}, w.now);
  const PacketNumber number = w.send(World::full_packet(Space::initial));
  w.now += milliseconds{40};
  w.ack(Ack{{number, number}}, Space::initial);
  ASSERT_TRUE(w.recovery.next_timeout());
  w.now = *w.recovery.next_timeout();
  const TimeoutOutcome outcome = w.recovery.on_timeout(w.now);
  EXPECT_EQ(outcome.probe_space, Space::initial);
  EXPECT_TRUE(outcome.probe.empty());
  EXPECT_EQ(w.recovery.probes_owed(Space::initial), 1U);
}

TEST(RecoveryTimeout, AckedInitialsDoNotResetTheBackoffOfAnUnvalidatedClient) {
  World w;
  w.recovery.set_handshake_facts({}, w.now);
  w.send(World::full_packet(Space::initial));
  w.now = *w.recovery.next_timeout();
  w.recovery.on_timeout(w.now);
  w.ack(Ack{{0, 0}}, Space::initial);
  EXPECT_EQ(w.recovery.pto_count(), 1U);
}

TEST(RecoveryTimeout, DiscardedKeysTakeTheirPacketsOutOfFlight) {
  World w;
  w.send(World::full_packet(Space::initial));
  w.send();
  w.recovery.discard_space(Space::initial, w.now);
  EXPECT_EQ(w.recovery.bytes_in_flight(), kPacket);
  EXPECT_TRUE(w.notes.cuts.empty());
}

TEST(RecoveryTimeout, ARetryGivesTheInitialFramesBack) {
  World w;
  w.send(World::full_packet(Space::initial));
  EXPECT_EQ(ids(w.recovery.on_retry(w.now)), Numbers{0});
  EXPECT_EQ(w.recovery.bytes_in_flight(), 0U);
  EXPECT_EQ(w.recovery.next_packet_number(Space::initial), 1U);
  EXPECT_FALSE(w.recovery.rtt().has_sample());
}

TEST(RecoveryTimeout, UnackedFramesCanBeHadWithoutWaiting) {
  World w;
  for (int i = 0; i < 3; ++i) w.send(World::full_packet(Space::initial));
  w.ack(Ack{{1, 1}}, Space::initial);
  EXPECT_EQ(ids(w.recovery.resend_unacked(Space::initial)), (Numbers{0, 2}));
  EXPECT_EQ(w.recovery.bytes_in_flight(), 2 * kPacket);
}

}  // namespace
}  // namespace quell
