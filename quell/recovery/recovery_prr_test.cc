// How does recovery meter a reduction: what replaces the window's word, and what ends that?
#include <gtest/gtest.h>

#include <string>

#include "quell/recovery/test_support.h"

namespace quell {
namespace {

using testing::Ack;
using testing::kPacket;
using testing::Notes;
using testing::World;

// A controller that halves, with 20 packets in flight under a window of 20.
struct Reduced : World {
  explicit Reduced(bool wants_prr = true) {
    notes.traits.wants_prr = wants_prr;
    notes.beta = 0.5;
    notes.window = 20 * kPacket;
    warm_up(milliseconds{40});
    first = recovery.next_packet_number(Space::application);
    send_many(20);
    now += milliseconds{40};
  }
  ByteCount budget() { return recovery.send_budget(now).bytes / kPacket; }
  // Sends whatever is allowed.
  std::size_t send_allowed() {
    std::size_t count = 0;
    for (; recovery.send_budget(now).bytes >= kPacket; ++count) send();
    return count;
  }
  PacketNumber first = 0;
};

TEST(RecoveryPrr, TheLostPacketIsRepeatedAtOnceAndTheFlightComesDownOverARound) {
  Reduced w;
  std::string sent;
  for (PacketNumber n = w.first + 1; n < w.first + 20; ++n) {
    w.ack(n, n);
    sent += std::to_string(w.send_allowed());
  }
  // Until the loss shows, each ACK lets one packet leave; then one for two, over the 17 ACKs that are left.
  EXPECT_EQ(sent.substr(0, 12), "111010101010");
  EXPECT_EQ(w.recovery.bytes_in_flight(), w.recovery.cwnd());
  EXPECT_EQ(w.recovery.cwnd(), 10 * kPacket);
}

TEST(RecoveryPrr, AControllerThatDoesNotWantItIsSilentForHalfARound) {
  Reduced w{false};
  w.ack(w.first + 1, w.first + 3);
  EXPECT_EQ(w.budget(), 0U);
  w.ack(w.first + 4, w.first + 9);  // a packet was lost, 9 of 20 have arrived
  EXPECT_EQ(w.budget(), 0U);
  w.ack(w.first + 10, w.first + 10);
  EXPECT_EQ(w.budget(), 1U);
}

TEST(RecoveryPrr, TheAckOfAPacketSentInTheEpisodeGivesTheWindowBack) {
  Reduced w;
  w.ack(w.first + 15, w.first + 15);  // 13 lost, 6 in flight
  ASSERT_EQ(w.budget(), 1U);
  const PacketNumber repeated = w.send();
  w.ack(repeated, repeated);  // four more are lost; they belong to the episode that this ACK ends
  EXPECT_FALSE(w.recovery.prr().is_active());
  EXPECT_EQ(w.budget(), 10 - w.recovery.bytes_in_flight() / kPacket);
}

TEST(RecoveryPrr, ProgressWithoutFurtherLossLetsAPacketMoreLeave) {
  Reduced w;
  w.ack(w.first + 15, w.first + 15);  // 0 to 12 lost; 13 and 14 are doubtful
  EXPECT_EQ(w.send_allowed(), 1U);
  w.ack(w.first + 16, w.first + 16);  // 13 is lost: no progress
  EXPECT_EQ(w.send_allowed(), 1U);
  w.ack(w.first + 17, w.first + 17);  // 14
  EXPECT_EQ(w.send_allowed(), 1U);
  w.ack(w.first + 18, w.first + 18);  // the oldest of those that were not lost
  EXPECT_EQ(w.send_allowed(), 2U);
}

TEST(RecoveryPrr, AnAckPastAHoleIsNoProgress) {
  Reduced w;
  w.ack(w.first + 12, w.first + 12);
  w.send_allowed();
  w.ack(w.first + 13, w.first + 15);  // 10 and 11 are lost
  w.send_allowed();
  w.ack(w.first + 17, w.first + 17);  // 16 may be lost
  EXPECT_EQ(w.send_allowed(), 1U);
}

TEST(RecoveryPrr, BlockedByItWithDataWaitingIsLimitedByTheWindow) {
  Reduced w;
  w.ack(w.first + 15, w.first + 15);
  w.send_allowed();
  ASSERT_LT(w.recovery.bytes_in_flight(), w.recovery.cwnd());
  const Duration before = w.recovery.growth_clock(w.now);
  w.recovery.on_transmit_ended(TransmitEnd::window, kPacket, w.now);
  w.now += milliseconds{7};
  EXPECT_EQ(w.recovery.growth_clock(w.now) - before, milliseconds{7});
}

TEST(RecoveryPrr, AnUndoneEpisodeIsMeteredNoMore) {
  Reduced w;
  w.ack(w.first + 3, w.first + 3);
  ASSERT_TRUE(w.recovery.prr().is_active());
  w.notes.window = 20 * kPacket;  // as a controller that takes its cut back
  w.ack(w.first, w.first);
  EXPECT_FALSE(w.recovery.prr().is_active());
  EXPECT_EQ(w.budget(), 20 - w.recovery.bytes_in_flight() / kPacket);
}

TEST(RecoveryPrr, PersistentCongestionEndsIt) {
  Reduced w;
  w.ack(w.first + 3, w.first + 3);
  ASSERT_TRUE(w.recovery.prr().is_active());
  w.now += seconds{10};
  w.send_many(4);
  w.ack(w.first + 23, w.first + 23);
  EXPECT_EQ(w.recovery.stats().persistent_congestion_events, 1U);
  EXPECT_FALSE(w.recovery.prr().is_active());
}

TEST(RecoveryPrr, AMarkIsMeteredAsALossIs) {
  World w{RecoveryConfig{.max_datagram_size = kPacket, .ecn = true, .pacing = false}};
  w.notes.traits.wants_prr = true;
  w.notes.beta = 0.5;
  w.notes.window = 10 * kPacket;
  SentPacketInfo info = World::full_packet();
  info.ecn = Ecn::ect0;
  for (int i = 0; i < 10; ++i) w.send(info);
  w.now += milliseconds{40};
  w.ack(Ack{{0, 0}}.with_ecn({.ect0 = 0, .ce = 1}));
  EXPECT_EQ(w.recovery.send_budget(w.now).bytes, kPacket);
  w.send();
  w.ack(Ack{{0, 1}}.with_ecn({.ect0 = 1, .ce = 1}));
  EXPECT_EQ(w.recovery.send_budget(w.now).bytes, 0U);  // 2 × ½ have left
  w.ack(Ack{{0, 2}}.with_ecn({.ect0 = 2, .ce = 1}));
  EXPECT_EQ(w.recovery.send_budget(w.now).bytes, kPacket);
}

// The loss timer empties the flight in an episode: neither an ACK nor a PTO would come.
TEST(RecoveryPrr, AnEpisodeWhoseFlightIsGoneSendsOn) {
  World w;
  w.notes.traits.wants_prr = true;
  w.notes.window = 4 * kPacket;
  w.warm_up(milliseconds{40});
  w.send_many(2);
  w.now += milliseconds{40};
  w.ack(2, 2);  // 1 is doubtful
  w.now = *w.recovery.next_timeout();
  w.recovery.on_timeout(w.now);
  ASSERT_TRUE(w.recovery.prr().is_active());
  EXPECT_EQ(w.recovery.bytes_in_flight(), 0U);
  EXPECT_EQ(w.recovery.send_budget(w.now).bytes, kPacket);
}

}  // namespace
}  // namespace quell
