// How does recovery answer marks and their absence?
#include <gtest/gtest.h>

#include "quell/recovery/test_support.h"

namespace quell {
namespace {

using testing::Ack;
using testing::kPacket;
using testing::World;
using Numbers = std::vector<PacketNumber>;

TEST(RecoveryEcn, ACongestionMarkIsOneCutPerEpisode) {
  World w{RecoveryConfig{.max_datagram_size = kPacket, .ecn = true, .pacing = false}};
  SentPacketInfo info = World::full_packet();
  for (int i = 0; i < 10; ++i) {
    info.ecn = w.recovery.ecn_codepoint();
    w.send(info);
  }
  w.now += milliseconds{40};
  w.ack(Ack{{0, 3}}.with_ecn({.ect0 = 3, .ce = 1}));
  ASSERT_EQ(w.notes.cuts.size(), 1U);
  EXPECT_EQ(w.notes.cuts[0].cause, cc::CongestionCause::ecn_ce);
  EXPECT_EQ(w.notes.acks.back().ce_delta, 1U);
  w.ack(Ack{{0, 7}}.with_ecn({.ect0 = 6, .ce = 2}));
  EXPECT_EQ(w.notes.cuts.size(), 1U);  // sent before the cut
}

TEST(RecoveryEcn, ABleachedPathTurnsEcnOffWithoutACut) {
  World w{RecoveryConfig{.max_datagram_size = kPacket, .ecn = true, .pacing = false}};
  SentPacketInfo info = World::full_packet();
  info.ecn = Ecn::ect0;
  w.send(info);
  w.ack(0, 0);
  EXPECT_EQ(w.recovery.ecn_codepoint(), Ecn::not_ect);
  EXPECT_TRUE(w.notes.cuts.empty());
}

struct Marking : World {
  Marking() : World(RecoveryConfig{.max_datagram_size = kPacket, .ecn = true, .pacing = false}) {}
  PacketNumber send_marked() {
    SentPacketInfo info = World::full_packet();
    info.ecn = recovery.ecn_codepoint();
    return send(info);
  }
  // Fires the timer when it is due; the probes leave.
  void be_silent() {
    now = *recovery.next_timeout();
    recovery.on_timeout(now);
    while (recovery.probes_owed(Space::application) > 0) send_marked();
  }
};

TEST(RecoveryEcn, MarksAreAnsweredOncePerRoundTrip) {
  Marking w;
  for (int i = 0; i < 10; ++i) w.send_marked();
  w.now += milliseconds{40};
  w.ack(Ack{{0, 4}}.with_ecn({.ect0 = 4, .ce = 1}));
  PacketNumber second = 0;
  for (int i = 0; i < 5; ++i) second = w.send_marked();
  w.now += milliseconds{40};
  w.ack(Ack{{0, 9}}.with_ecn({.ect0 = 8, .ce = 2}));
  EXPECT_EQ(w.notes.cuts.size(), 1U);
  w.ack(Ack{{0, second}}.with_ecn({.ect0 = 12, .ce = 3}));
  EXPECT_EQ(w.notes.cuts.size(), 2U);
}

TEST(RecoveryEcn, APathThatSwallowsMarkedPacketsCarriesTheSecondPairOfProbes) {
  Marking w;
  const TimePoint start = w.now;
  w.send_marked();
  w.be_silent();
  EXPECT_EQ(w.recovery.ecn_codepoint(), Ecn::ect0);
  const Duration pto = w.now - start;
  w.be_silent();
  EXPECT_EQ(w.recovery.ecn_codepoint(), Ecn::not_ect);
  EXPECT_EQ(w.now - start, 3 * pto);
  w.now += milliseconds{40};
  w.ack(3, 4);  // the unmarked probes; 0 and 1 are lost, and in time 2
  w.now += seconds{1};
  w.recovery.on_timeout(w.now);
  EXPECT_EQ(w.recovery.ecn().state(), EcnValidation::State::failed);
  EXPECT_TRUE(w.notes.cuts.size() <= 1);
}

TEST(RecoveryEcn, ABlackHoleThatBeginsAfterValidationIsNoticed) {
  Marking w;
  for (int i = 0; i < 10; ++i) w.send_marked();
  w.now += milliseconds{40};
  w.ack(Ack{{0, 9}}.with_ecn({.ect0 = 10}));
  ASSERT_EQ(w.recovery.ecn().state(), EcnValidation::State::capable);
  PacketNumber last = 0;
  for (int i = 0; i < 5; ++i) last = w.send_marked();
  w.be_silent();
  w.be_silent();
  EXPECT_EQ(w.recovery.ecn_codepoint(), Ecn::not_ect);
  w.now += milliseconds{40};
  w.ack(Ack{{0, 9}, {last + 3, last + 4}}.with_ecn({.ect0 = 10}));
  w.now += seconds{1};
  w.recovery.on_timeout(w.now);
  EXPECT_EQ(w.recovery.ecn().state(), EcnValidation::State::failed);
  EXPECT_EQ(w.recovery.stats().congestion_events, 1U);
}

}  // namespace
}  // namespace quell
