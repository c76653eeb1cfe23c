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

}  // namespace
}  // namespace quell
