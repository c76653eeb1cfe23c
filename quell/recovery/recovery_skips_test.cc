// What do skipped packet numbers change in recovery? Nothing, but that naming one ends the connection.
#include <gtest/gtest.h>

#include "quell/recovery/test_support.h"

namespace quell {
namespace {

using testing::Ack;
using testing::ids;
using testing::kPacket;
using testing::World;
using Numbers = std::vector<PacketNumber>;

struct Skipping : World {
  explicit Skipping(bool ecn = false)
      : World(RecoveryConfig{
            .max_datagram_size = kPacket, .ecn = ecn, .pacing = false, .skips = Rng{11}.fork("skips")}) {}

  // Sends until a number has been left out, acknowledging everything before, and `before` more packets than
  // that; returns the skipped number. `before` packets below it are in flight.
  PacketNumber send_to_a_skip(PacketNumber before) {
    for (;;) {
      const PacketNumber n = send();
      if (recovery.next_packet_number(Space::application) == n + 1) {
        if (n >= before) ack(n - before, n - before);
        continue;
      }
      EXPECT_EQ(recovery.next_packet_number(Space::application), n + 2);
      if (n >= before) ack(n - before, n - before);
      return n + 1;
    }
  }
};

TEST(RecoverySkips, AnAckOfASkippedNumberIsAProtocolViolationAndMovesNothing) {
  Skipping w;
  const PacketNumber skipped = w.send_to_a_skip(5);
  w.send_many(2);
  const ByteCount in_flight = w.recovery.bytes_in_flight();
  const std::size_t acks = w.notes.acks.size();
  const auto outcome = w.ack(skipped - 3, skipped + 1);
  ASSERT_FALSE(outcome);
  EXPECT_EQ(outcome.error().code, TransportError::protocol_violation);
  EXPECT_EQ(outcome.error().frame_type, static_cast<std::uint64_t>(FrameType::ack));
  EXPECT_EQ(w.recovery.bytes_in_flight(), in_flight);
  EXPECT_EQ(w.notes.acks.size(), acks);
}

TEST(RecoverySkips, AnAckAroundItIsFine) {
  Skipping w;
  const PacketNumber skipped = w.send_to_a_skip(3);
  w.send_many(2);
  const auto outcome = w.ack(Ack{{skipped - 3, skipped - 1}, {skipped + 1, skipped + 2}});
  ASSERT_TRUE(outcome);
  EXPECT_EQ(w.recovery.bytes_in_flight(), 0U);
  EXPECT_TRUE(w.notes.cuts.empty());
}

// The packet threshold counts packets that were sent.
TEST(RecoverySkips, ASkippedNumberIsNoLaterPacket) {
  Skipping w;
  const PacketNumber skipped = w.send_to_a_skip(2);
  w.send_many(3);
  w.ack(skipped + 1, skipped + 1);
  const auto two_later = w.ack(skipped + 2, skipped + 2);
  EXPECT_EQ(ids(two_later->lost), Numbers{skipped - 2});  // three later ones: −1, +1, +2
  const auto three_later = w.ack(skipped + 3, skipped + 3);
  EXPECT_EQ(ids(three_later->lost), Numbers{skipped - 1});
}

TEST(RecoverySkips, OnlyApplicationPacketsSkip) {
  Skipping w;
  for (PacketNumber n = 0; n < 1000; ++n) {
    EXPECT_EQ(w.recovery.next_packet_number(Space::handshake), n);
    w.send(World::full_packet(Space::handshake));
    w.ack(Ack{{n, n}}, Space::handshake);
  }
}

// The holes are settled packets: the ledger forgets them as it forgets others.
TEST(RecoverySkips, PersistentCongestionIsSeenAcrossASkippedNumber) {
  Skipping w;
  w.warm_up(milliseconds{40});
  const PacketNumber skipped = w.send_to_a_skip(2);
  w.now += seconds{10};
  w.send_many(5);
  w.now += milliseconds{40};
  w.ack(skipped + 5, skipped + 5);
  EXPECT_EQ(w.recovery.stats().persistent_congestion_events, 1U);
}

TEST(RecoverySkips, MarksAreCountedByPacket) {
  Skipping w{true};
  std::uint64_t marked = 0;
  RangeSet sent;
  for (int i = 0; i < 300; ++i) {
    SentPacketInfo info = World::full_packet();
    info.ecn = w.recovery.ecn_codepoint();
    marked += info.ecn == Ecn::ect0 ? 1 : 0;
    const PacketNumber n = w.send(info);
    sent.add(n, n + 1);
    ASSERT_TRUE(w.ack(Ack{sent}.with_ecn({.ect0 = marked})));
  }
  EXPECT_GT(sent.range_count(), 1U);
  EXPECT_EQ(w.recovery.ecn().state(), EcnValidation::State::capable);
}

TEST(RecoverySkips, ALongConnectionWithHolesKeepsNoMoreThanItsFlight) {
  Skipping w;
  const PacketNumber skipped = w.send_to_a_skip(1);
  w.send();
  w.ack(Ack{{skipped - 1, skipped - 1}, {skipped + 1, skipped + 1}});
  EXPECT_EQ(w.recovery.bytes_in_flight(), 0U);
  EXPECT_FALSE(w.recovery.next_timeout());
}

}  // namespace
}  // namespace quell
