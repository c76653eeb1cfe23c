// What recovery tells its controller and its owner, in stories. The laws over random histories:
// recovery_laws_test.cc.
#include "quell/recovery/recovery.h"

#include <gtest/gtest.h>

#include <string>

#include "quell/recovery/test_support.h"

namespace quell {
namespace {

using testing::Ack;
using testing::ids;
using testing::kPacket;
using testing::World;
using Numbers = std::vector<PacketNumber>;

TEST(Recovery, AnAckOfAPacketThatWasNeverSentIsAProtocolViolation) {
  World w;
  w.send_many(3);
  const auto outcome = w.ack(0, 3);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, TransportError::protocol_violation);
  EXPECT_EQ(w.recovery.bytes_in_flight(), 3 * kPacket);
  EXPECT_TRUE(w.notes.acks.empty());
}

TEST(Recovery, AckedFramesComeBackInOrder) {
  World w;
  w.send_many(5);
  const auto outcome = w.ack(Ack{{0, 1}, {3, 3}});
  EXPECT_EQ(ids(outcome->acked), (Numbers{0, 1, 3}));
  EXPECT_TRUE(outcome->newly_acked_any);
  EXPECT_EQ(w.recovery.bytes_in_flight(), 2 * kPacket);
  EXPECT_EQ(w.notes.acked.back(), (Numbers{0, 1, 3}));
}

TEST(Recovery, ARepeatedAckSaysNothingNew) {
  World w;
  w.send_many(5);
  w.ack(0, 2);
  const auto outcome = w.ack(0, 2);
  EXPECT_FALSE(outcome->newly_acked_any);
  EXPECT_EQ(w.notes.acks.size(), 1U);
}

TEST(Recovery, AckOnlyPacketsCountNeitherInFlightNorAsLost) {
  World w;
  w.send(World::ack_only());
  EXPECT_EQ(w.recovery.bytes_in_flight(), 0U);
  EXPECT_FALSE(w.recovery.next_timeout());
  w.send_many(5);
  const auto outcome = w.ack(1, 5);
  EXPECT_TRUE(outcome->lost.empty());
  EXPECT_TRUE(w.notes.cuts.empty());
  EXPECT_EQ(w.recovery.stats().packets_lost, 0U);
}

TEST(Recovery, RttIsSampledOnlyFromTheLargestNewlyAcked) {
  World w;
  w.send_many(2);
  w.now += milliseconds{40};
  w.ack(1, 1);
  EXPECT_EQ(w.recovery.rtt().latest(), milliseconds{40});
  EXPECT_TRUE(w.notes.acks.back().rtt.is_new);
  w.now += milliseconds{40};
  w.ack(0, 1);  // 0 is new, the largest is not
  EXPECT_EQ(w.recovery.rtt().latest(), milliseconds{40});
  EXPECT_FALSE(w.notes.acks.back().rtt.is_new);
}

TEST(Recovery, TheAckDelayIsLimitedToWhatThePeerPromised) {
  World w;
  w.warm_up(milliseconds{40});
  w.send();
  w.now += milliseconds{120};
  w.ack(Ack{{1, 1}}, Space::application, seconds{10});
  // 120 − 25 = 95 → 7/8 × 40 + 1/8 × 95.
  EXPECT_EQ(w.recovery.rtt().smoothed(), microseconds{46'875});
}

// --- one cut per round trip

TEST(Recovery, ManyLossesOfOneRoundTripAreOneCut) {
  World w;
  w.warm_up(milliseconds{40});
  w.send_many(20);
  w.now += milliseconds{40};
  for (const PacketNumber acked : {5U, 9U, 14U, 20U}) w.ack(acked, acked);
  EXPECT_EQ(w.notes.cuts.size(), 1U);
  EXPECT_GT(w.notes.lost.size(), 1U);
  EXPECT_TRUE(w.recovery.in_recovery());
}

TEST(Recovery, TheEpisodeEndsWithTheFirstAckOfAPacketSentInIt) {
  World w;
  w.warm_up(milliseconds{40});
  w.send_many(10);
  w.ack(5, 5);
  ASSERT_TRUE(w.recovery.in_recovery());
  const PacketNumber after = w.send();
  w.ack(6, 10);
  EXPECT_TRUE(w.recovery.in_recovery());
  EXPECT_EQ(w.notes.exits, 0);
  w.ack(after, after);
  EXPECT_FALSE(w.recovery.in_recovery());
  EXPECT_EQ(w.notes.exits, 1);
}

TEST(Recovery, APacketSentInTheEpisodeThatIsLostBeginsTheNext) {
  World w;
  w.warm_up(milliseconds{40});
  w.send_many(10);
  w.ack(5, 5);
  const PacketNumber after = w.send();
  w.send_many(3);
  w.ack(after + 3, after + 3);
  ASSERT_EQ(w.notes.cuts.size(), 2U);
  EXPECT_NE(w.notes.cuts[0].episode, w.notes.cuts[1].episode);
  EXPECT_EQ(w.notes.exits, 1);
}

TEST(Recovery, SlowSendingCannotPushTheBoundaryAhead) {
  // The historic trap: at the floor every ACK empties the pipe. However long the waits, a packet sent after
  // the cut ends it.
  World w;
  w.warm_up(milliseconds{10});
  w.send_many(5);
  w.ack(5, 5);
  for (int round = 0; round < 50; ++round) {
    w.now += seconds{round};
    const PacketNumber number = w.send();
    w.now += milliseconds{10};
    w.ack(number, number);
    ASSERT_FALSE(w.recovery.in_recovery());
  }
  EXPECT_EQ(w.notes.exits, 1);
}

TEST(Recovery, PacketsSentBeforeTheCutDoNotGrowTheWindow) {
  World w;
  w.notes.window = 10 * kPacket;
  w.warm_up(milliseconds{40});
  w.send_many(10);
  w.ack(4, 4);  // 1 lost
  EXPECT_EQ(w.notes.acks.back().growable_bytes, 0U);
  const PacketNumber after = w.send();
  w.ack(5, 10);
  EXPECT_EQ(w.notes.acks.back().acked_bytes, 6 * kPacket);
  EXPECT_EQ(w.notes.acks.back().growable_bytes, 0U);
  EXPECT_TRUE(w.notes.acks.back().in_recovery);
  w.ack(after, after);
  EXPECT_EQ(w.notes.acks.back().growable_bytes, kPacket);
  EXPECT_FALSE(w.notes.acks.back().in_recovery);
}

// --- growth

TEST(Recovery, OnlyPacketsThatFilledTheWindowGrowIt) {
  World w;
  w.notes.window = 10 * kPacket;
  SentPacketInfo info = World::full_packet();
  info.ready_bytes_after = 0;
  for (int i = 0; i < 10; ++i) w.send(info);
  w.ack(0, 9);
  // The ninth reached cwnd − 1 packet, the tenth cwnd.
  EXPECT_EQ(w.notes.acks.back().growable_bytes, 2 * kPacket);
}

TEST(Recovery, DataThatWaitsForThePacerCountsAsFillingTheWindow) {
  World w;
  w.notes.window = 10 * kPacket;
  SentPacketInfo info = World::full_packet();
  info.ready_bytes_after = 8 * kPacket;
  w.send(info);
  info.ready_bytes_after = 7 * kPacket - 1;
  w.send(info);
  w.ack(0, 1);
  EXPECT_EQ(w.notes.acks.back().growable_bytes, kPacket);
}

TEST(Recovery, TheGrowthClockRunsWhileTheWindowLimits) {
  World w;
  w.notes.window = 10 * kPacket;
  w.send_many(10);
  w.recovery.on_transmit_ended(TransmitEnd::window, 1 << 20, w.now);
  w.now += milliseconds{40};
  w.ack(0, 9);
  EXPECT_EQ(w.notes.acks.back().growth_clock, milliseconds{40});
  w.recovery.on_transmit_ended(TransmitEnd::nothing_to_send, 0, w.now);
  w.now += hours{1};
  EXPECT_EQ(w.recovery.growth_clock(w.now), milliseconds{40});
}

TEST(Recovery, TheGrowthClockStandsWhileThereIsTooLittleToFillTheWindow) {
  World w;
  w.notes.window = 10 * kPacket;
  w.send_many(3);
  w.recovery.on_transmit_ended(TransmitEnd::pacer, 2 * kPacket, w.now);
  EXPECT_EQ(w.recovery.growth_clock(w.now + seconds{1}), Duration{0});
  w.recovery.on_transmit_ended(TransmitEnd::pacer, 6 * kPacket, w.now);
  EXPECT_EQ(w.recovery.growth_clock(w.now + seconds{1}), seconds{1});
}

TEST(Recovery, FlowControlAndAmplificationDoNotGrowTheWindow) {
  World w;
  w.notes.window = 10 * kPacket;
  w.send_many(10);
  for (const TransmitEnd reason : {TransmitEnd::flow_control, TransmitEnd::amplification}) {
    w.recovery.on_transmit_ended(reason, 1 << 20, w.now);
    w.now += seconds{1};
    EXPECT_EQ(w.recovery.growth_clock(w.now), Duration{0});
  }
}

// draft-ietf-ccwg-bbr §4.1.1.3.1.
TEST(Recovery, AReceiverThatTakesNoMoreIsNoIdleApplication) {
  World w;
  w.send();
  w.recovery.on_transmit_ended(TransmitEnd::flow_control, 1 << 20, w.now);
  w.send();
  EXPECT_FALSE(w.notes.sent.back().is_app_limited);
  w.recovery.on_transmit_ended(TransmitEnd::nothing_to_send, 0, w.now);
  w.send();
  EXPECT_TRUE(w.notes.sent.back().is_app_limited);
}

// --- the floor and the budget

TEST(Recovery, NoControllerCanBringTheWindowBelowTwoPackets) {
  World w;
  w.notes.window = 0;
  EXPECT_EQ(w.recovery.cwnd(), 2 * kPacket);
  EXPECT_EQ(w.recovery.send_budget(w.now).bytes, 2 * kPacket);
}

TEST(Recovery, TheBudgetIsWhatTheWindowHasLeft) {
  World w;
  w.notes.window = 10 * kPacket;
  w.send_many(7);
  EXPECT_EQ(w.recovery.send_budget(w.now).bytes, 3 * kPacket);
  w.send_many(4);  // a probe went over the window
  EXPECT_EQ(w.recovery.send_budget(w.now).bytes, 0U);
  EXPECT_EQ(w.recovery.send_budget(w.now).limit, SendBudget::Limit::window);
}

TEST(Recovery, ThePacerSaysWhenItReleasesMore) {
  World w{RecoveryConfig{.max_datagram_size = kPacket, .ecn = false, .pacing = true}};
  EXPECT_EQ(w.recovery.send_budget(w.now).bytes,
            100 * kPacket);  // no sample yet: the initial window, unpaced
  w.warm_up(milliseconds{100});
  const SendBudget budget = w.recovery.send_budget(w.now);
  EXPECT_EQ(budget.bytes, 10 * kPacket);
  EXPECT_EQ(budget.limit, SendBudget::Limit::pacer);
  ASSERT_TRUE(budget.retry_at);
  // Slow start: 2 × 100 packets in 100 ms; two packets' time.
  EXPECT_EQ(*budget.retry_at - w.now, milliseconds{1});
}

TEST(Recovery, AControllerThatSaysZeroIsStillHeard) {
  World w{RecoveryConfig{.max_datagram_size = kPacket, .ecn = false, .pacing = true}};
  w.notes.traits.sets_pacing_rate = true;
  w.notes.rate = Rate{};
  w.warm_up(milliseconds{100});
  for (int i = 0; i < 50; ++i) {
    const SendBudget budget = w.recovery.send_budget(w.now);
    if (budget.bytes >= kPacket) {
      w.send();
      continue;
    }
    ASSERT_TRUE(budget.retry_at);
    ASSERT_LE(*budget.retry_at - w.now, seconds{1});
    w.now = *budget.retry_at;
  }
}

TEST(Recovery, AnIdleRestartIsTold) {
  World w;
  w.warm_up(milliseconds{40});
  w.now += seconds{5};
  w.send();
  w.send();
  EXPECT_EQ(w.notes.idle_gaps, std::vector<Duration>{seconds{5}});
}

// --- MTU probes

TEST(Recovery, TheLossOfAnMtuProbeIsNoCongestion) {
  World w;
  w.warm_up(milliseconds{40});
  SentPacketInfo probe = World::full_packet();
  probe.is_mtu_probe = true;
  const PacketNumber number = w.send(probe);
  w.send_many(3);
  const auto outcome = w.ack(number + 1, number + 3);
  EXPECT_EQ(ids(outcome->lost), Numbers{number});
  EXPECT_TRUE(w.notes.cuts.empty());
  EXPECT_TRUE(w.notes.lost.empty());
  EXPECT_EQ(w.recovery.bytes_in_flight(), 0U);
}

// draft-ietf-ccwg-bbr §5.5.10.2 compares these totals with those that each lost packet carries. The packet
// that revealed the loss is delivered by then.
TEST(Recovery, ALossKnowsTheTotalsOfItsMomentAndMtuProbesAreNotAmongTheLost) {
  World w;
  w.warm_up(milliseconds{40});
  SentPacketInfo probe = World::full_packet();
  probe.is_mtu_probe = true;
  const PacketNumber number = w.send(probe);
  w.send_many(4);
  w.ack(number + 4, number + 4);  // the probe and the packet after it are lost
  ASSERT_EQ(w.notes.losses.size(), 1U);
  EXPECT_EQ(w.notes.losses[0].total_lost, kPacket);
  EXPECT_EQ(w.notes.losses[0].total_delivered, 2 * kPacket);  // that of the warm-up, and this one
  EXPECT_EQ(w.notes.acks.back().delivery.lost_since_send, kPacket);
}

// Behind a packet in flight nothing leaves the ledger.
TEST(Recovery, APeerThatAcknowledgesNothingAtAllIsNoticed) {
  World w;
  w.send();
  for (std::uint32_t i = 0; i < kMaxAcksUnheard; ++i) w.send(World::ack_only());
  EXPECT_FALSE(w.recovery.is_unheard(Space::application));
  w.send(World::ack_only());
  EXPECT_TRUE(w.recovery.is_unheard(Space::application));
}

TEST(Recovery, APeerThatOnlySendsNeedNotAcknowledgeAcks) {
  World w;
  for (std::uint32_t i = 0; i < 2 * kMaxAcksUnheard; ++i) w.send(World::ack_only());
  const PacketNumber number = w.send();
  w.send(World::ack_only());
  EXPECT_FALSE(w.recovery.is_unheard(Space::application));
  w.ack(number, number);
  EXPECT_FALSE(w.recovery.is_unheard(Space::application));
}

TEST(Recovery, ALargerDatagramRaisesTheFloorAndIsTold) {
  World w;
  w.recovery.raise_datagram_size(1400, w.now);
  w.notes.window = 0;
  EXPECT_EQ(w.recovery.cwnd(), 2800U);
  w.recovery.raise_datagram_size(1300, w.now);
  EXPECT_EQ(w.recovery.max_datagram_size(), 1400U);
  EXPECT_EQ(w.notes.mtus, (std::vector<std::pair<ByteCount, ByteCount>>{{kPacket, 1400}}));
}

TEST(Recovery, AnotherPathStartsWithoutWhatWasLearntOnTheOldOne) {
  World w;
  w.warm_up(milliseconds{40});
  w.send_many(8);
  w.ack(4, 4);
  ASSERT_TRUE(w.recovery.in_recovery());
  w.recovery.on_path_reset(w.now);
  EXPECT_FALSE(w.recovery.in_recovery());
  EXPECT_FALSE(w.recovery.rtt().has_sample());
  EXPECT_EQ(w.notes.path_resets, 1);
  w.ack(8, 8);  // losses on the old path
  EXPECT_EQ(w.notes.cuts.size(), 1U);
  w.ack(1, 8);
  EXPECT_TRUE(w.notes.spurious.empty());
}

TEST(Recovery, ASmallerPeerLimitLowersTheFloor) {
  World w;
  w.recovery.limit_datagram_size(1000, w.now);
  w.notes.window = 0;
  EXPECT_EQ(w.recovery.cwnd(), 2000U);
  w.recovery.limit_datagram_size(1500, w.now);
  EXPECT_EQ(w.recovery.max_datagram_size(), 1000U);
}

}  // namespace
}  // namespace quell
