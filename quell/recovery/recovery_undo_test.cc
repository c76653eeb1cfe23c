// When does recovery take a cut back, and when never?
#include <gtest/gtest.h>

#include "quell/recovery/test_support.h"

namespace quell {
namespace {

using testing::Ack;
using testing::ids;
using testing::kPacket;
using testing::World;
using Numbers = std::vector<PacketNumber>;

TEST(RecoveryUndo, ALateAckOfALostPacketIsReported) {
  World w;
  w.warm_up(milliseconds{40});
  w.send_many(4);
  EXPECT_EQ(ids(w.ack(4, 4)->lost), Numbers{1});
  EXPECT_EQ(ids(w.ack(1, 4)->acked), (Numbers{1, 2, 3}));
  EXPECT_EQ(w.recovery.stats().spurious_losses, 1U);
  EXPECT_EQ(w.recovery.bytes_in_flight(), 0U);
}

TEST(RecoveryUndo, AnEpisodeIsSpuriousOnlyWhenAllItsPacketsArrived) {
  World w;
  w.warm_up(milliseconds{40});
  w.send_many(6);
  w.ack(5, 5);  // 1 and 2 lost
  w.ack(1, 1);
  EXPECT_TRUE(w.notes.spurious.empty());
  w.ack(2, 2);
  EXPECT_EQ(w.notes.spurious, std::vector<std::uint64_t>{w.notes.cuts[0].episode});
  EXPECT_FALSE(w.recovery.in_recovery());
}

TEST(RecoveryUndo, ARealLossIsNeverUndone) {
  World w;
  w.warm_up(milliseconds{40});
  w.send_many(6);
  w.ack(6, 6);  // 1, 2, 3 lost
  w.ack(2, 3);
  EXPECT_TRUE(w.notes.spurious.empty());
}

TEST(RecoveryUndo, AfterThreePtosALateAckIsForgotten) {
  World w;
  w.warm_up(milliseconds{40});
  w.send_many(4);
  w.ack(4, 4);
  w.now += 3 * w.recovery.pto();
  w.send();
  w.now += milliseconds{40};
  w.ack(5, 5);
  EXPECT_TRUE(w.ack(1, 1)->acked.empty());
}

TEST(RecoveryUndo, ALateAckAfterTheEpisodesExitStillUndoes) {
  World w;
  w.warm_up(milliseconds{40});
  w.send_many(4);
  w.ack(4, 4);
  const PacketNumber after = w.send();
  w.now += milliseconds{40};
  w.ack(2, after);
  ASSERT_EQ(w.notes.exits, 1);
  w.ack(1, after);
  EXPECT_EQ(w.notes.spurious, std::vector<std::uint64_t>{w.notes.cuts[0].episode});
}

TEST(RecoveryUndo, AnUndoneEpisodeLeavesNoBoundary) {
  World w;
  w.warm_up(milliseconds{40});
  w.send_many(8);
  w.ack(4, 4);
  w.ack(1, 1);
  ASSERT_EQ(w.notes.spurious.size(), 1U);
  w.ack(8, 8);  // 2, 3 and 5 are lost: sent before the cut that was taken back, and a sign of their own
  EXPECT_EQ(w.notes.cuts.size(), 2U);
  EXPECT_TRUE(w.recovery.in_recovery());
  w.ack(2, 3);  // 5 is not among them
  EXPECT_EQ(w.notes.spurious.size(), 1U);
}

TEST(RecoveryUndo, PacketsSentBeforeACutThatWasTakenBackGrowTheWindow) {
  World w;
  w.notes.window = 4 * kPacket;
  w.warm_up(milliseconds{40});
  w.send_many(4);
  w.ack(4, 4);
  w.ack(1, 3);
  EXPECT_EQ(w.notes.acks.back().growable_bytes, 2 * kPacket);
}

TEST(RecoveryUndo, OnlyTheLatestEpisodeIsUndone) {
  World w;
  w.warm_up(milliseconds{40});
  w.send_many(4);
  w.ack(2, 4);  // 1 is lost
  w.send_many(4);
  w.ack(6, 8);  // 5 is lost: the second episode
  ASSERT_EQ(w.notes.cuts.size(), 2U);
  w.ack(1, 4);
  EXPECT_TRUE(w.notes.spurious.empty());
  w.ack(5, 8);
  EXPECT_EQ(w.notes.spurious, std::vector<std::uint64_t>{w.notes.cuts[1].episode});
}

// An episode's losses may come one by one, also after its exit.
TEST(RecoveryUndo, ALaterLossOfTheSameEpisodeMustArriveToo) {
  World w;
  w.warm_up(milliseconds{40});
  w.send_many(6);
  w.ack(4, 4);  // 1 is lost
  w.ack(5, 5);  // 2
  w.ack(1, 1);
  EXPECT_TRUE(w.notes.spurious.empty());
  w.ack(2, 2);
  EXPECT_EQ(w.notes.spurious.size(), 1U);
}

TEST(RecoveryUndo, ALateMtuProbeUndoesNothingAndPreventsNothing) {
  World w;
  w.warm_up(milliseconds{40});
  SentPacketInfo probe = World::full_packet();
  probe.is_mtu_probe = true;
  w.send(probe);
  w.send_many(5);
  w.ack(5, 5);  // the probe, which is 1, and 2 are lost
  w.ack(1, 1);
  EXPECT_TRUE(w.notes.spurious.empty());
  w.ack(2, 2);
  EXPECT_EQ(w.notes.spurious.size(), 1U);
}

TEST(RecoveryUndo, AMarkInTheEpisodeMakesItsCutFinal) {
  World w{RecoveryConfig{.max_datagram_size = kPacket, .ecn = true, .pacing = false}};
  SentPacketInfo info = World::full_packet();
  info.ecn = Ecn::ect0;
  for (int i = 0; i < 6; ++i) w.send(info);
  w.now += milliseconds{40};
  w.ack(Ack{{3, 3}}.with_ecn({.ect0 = 1}));  // 0 is lost
  w.ack(Ack{{1, 4}}.with_ecn({.ect0 = 3, .ce = 1}));
  ASSERT_EQ(w.notes.cuts.size(), 1U);
  w.ack(Ack{{0, 4}}.with_ecn({.ect0 = 4, .ce = 1}));
  EXPECT_TRUE(w.notes.spurious.empty());
}

TEST(RecoveryUndo, ACutThatAMarkCausedIsFinal) {
  World w{RecoveryConfig{.max_datagram_size = kPacket, .ecn = true, .pacing = false}};
  SentPacketInfo info = World::full_packet();
  info.ecn = Ecn::ect0;
  for (int i = 0; i < 6; ++i) w.send(info);
  w.now += milliseconds{40};
  w.ack(Ack{{3, 3}}.with_ecn({.ect0 = 0, .ce = 1}));  // and 0 is lost
  ASSERT_EQ(w.notes.cuts.size(), 1U);
  w.ack(Ack{{0, 3}}.with_ecn({.ect0 = 3, .ce = 1}));
  EXPECT_TRUE(w.notes.spurious.empty());
}

}  // namespace
}  // namespace quell
