// RFC 9002 §7.6, through recovery as a whole.
#include "quell/recovery/persistent_congestion.h"

#include <gtest/gtest.h>

#include "quell/recovery/test_support.h"

namespace quell {
namespace {

using testing::Ack;
using testing::kPacket;
using testing::World;

// After warm_up(40 ms): smoothed 40, rttvar 20, so (40 + 80 + 25) × 3.
constexpr Duration kRtt = milliseconds{40};
constexpr Duration kDuration = milliseconds{435};

bool was_persistent(const World& w) {
  return w.recovery.stats().persistent_congestion_events > 0;
}

// Sends packets `gap` apart, then some at once whose ACK reveals that all of the first were lost.
void lose_all(World& w, int count, Duration gap) {
  for (int i = 0; i < count; ++i) {
    w.send();
    if (i + 1 < count) w.now += gap;
  }
  const TimePoint last_lost = w.now;
  w.send_many(2);
  const PacketNumber revealing = w.send();
  w.now = last_lost + kRtt;
  w.ack(revealing, revealing);
}

TEST(PersistentCongestion, LosingEverythingForLongerThanTheDurationIsIt) {
  World w;
  w.warm_up(kRtt);
  lose_all(w, 2, kDuration + milliseconds{1});
  EXPECT_TRUE(was_persistent(w));
  EXPECT_EQ(w.notes.cuts.back().cause, cc::CongestionCause::persistent);
  EXPECT_FALSE(w.recovery.in_recovery());
}

TEST(PersistentCongestion, TheDurationMustBeExceeded) {
  World w;
  w.warm_up(kRtt);
  // The revealing ACK is a sample of 40 ms, too: rttvar 15, so (40 + 60 + 25) × 3 = 375 ms.
  lose_all(w, 2, milliseconds{375});
  EXPECT_FALSE(was_persistent(w));
  EXPECT_EQ(w.notes.cuts.size(), 1U);
}

TEST(PersistentCongestion, APacketSentInTheMiddleAndAcknowledgedPreventsIt) {
  World w;
  w.warm_up(kRtt);
  w.send();
  w.now += milliseconds{300};
  const PacketNumber middle = w.send();
  w.now += milliseconds{300};
  w.ack(middle, middle);
  lose_all(w, 1, {});
  EXPECT_FALSE(was_persistent(w));
}

TEST(PersistentCongestion, AnAckThatArrivesInTheMiddleForAPacketSentBeforeDoesNotPreventIt) {
  World w;
  w.warm_up(kRtt);
  const PacketNumber before = w.send();
  w.now += milliseconds{1};
  w.send();
  w.now += milliseconds{300};
  w.ack(before, before);  // a sample of 301 ms, which makes the duration longer
  w.now += seconds{2};
  lose_all(w, 1, {});
  EXPECT_TRUE(was_persistent(w));
}

TEST(PersistentCongestion, NeverBeforeAnRttSample) {
  World w;
  lose_all(w, 2, hours{1});
  EXPECT_EQ(w.notes.cuts.size(), 1U);
  EXPECT_FALSE(was_persistent(w));
}

TEST(PersistentCongestion, PacketsThatAskForNoAckProveNothing) {
  World w;
  w.warm_up(kRtt);
  SentPacketInfo padding = World::full_packet();
  padding.is_ack_eliciting = false;
  w.send(padding);
  w.now += 2 * kDuration;
  lose_all(w, 1, {});
  EXPECT_FALSE(was_persistent(w));
}

TEST(PersistentCongestion, LostMtuProbesProveNothing) {
  World w;
  w.warm_up(kRtt);
  SentPacketInfo probe = World::full_packet();
  probe.is_mtu_probe = true;
  w.send(probe);
  w.now += 2 * kDuration;
  lose_all(w, 1, {});
  EXPECT_FALSE(was_persistent(w));
}

TEST(PersistentCongestion, AnAckOfAnotherSpaceInTheMiddlePreventsIt) {
  World w;
  w.warm_up(kRtt);
  w.send();
  w.now += milliseconds{300};
  const PacketNumber handshake = w.send(World::full_packet(Space::handshake));
  w.now += kRtt;
  w.ack(Ack{{handshake, handshake}}, Space::handshake);
  w.now += milliseconds{300};
  lose_all(w, 1, {});
  EXPECT_FALSE(was_persistent(w));
}

TEST(PersistentCongestion, LossesOfTwoSpacesMakeOnePeriod) {
  World w;
  w.warm_up(kRtt);
  w.send(World::full_packet(Space::handshake));
  const PacketNumber later = w.send(World::full_packet(Space::handshake));
  (void)later;
  w.now += 2 * kDuration;
  const TimePoint second_flight = w.now;
  w.send();        // lost
  w.send_many(2);  // on their way
  const PacketNumber last = w.send();
  for (int i = 0; i < 3; ++i) w.send(World::full_packet(Space::handshake));
  w.now = second_flight + kRtt;
  w.ack(Ack{{4, 4}}, Space::handshake);  // 0 and 1 lost in the handshake space
  ASSERT_FALSE(was_persistent(w));
  w.ack(last, last);
  EXPECT_TRUE(was_persistent(w));
}

TEST(PersistentCongestion, IsEstablishedOnceForTheSamePackets) {
  World w;
  w.warm_up(kRtt);
  lose_all(w, 3, kDuration);
  w.now += kRtt;
  w.recovery.on_timeout(w.now);  // the two sent with the revealing packet are lost by time
  EXPECT_EQ(w.recovery.stats().persistent_congestion_events, 1U);
}

TEST(PersistentCongestion, PacketsSentBeforeItNeitherCutAgainNorGrow) {
  World w;
  w.warm_up(kRtt);
  lose_all(w, 2, 2 * kDuration);
  const std::size_t cuts = w.notes.cuts.size();
  EXPECT_EQ(w.notes.acks.back().growable_bytes, 0U);
  w.now += seconds{1};
  w.recovery.on_timeout(w.now);
  EXPECT_EQ(w.notes.cuts.size(), cuts);
}

TEST(PersistentCongestion, RestartsMinRtt) {
  World w;
  w.warm_up(milliseconds{10});
  lose_all(w, 2, seconds{2});
  ASSERT_TRUE(was_persistent(w));
  EXPECT_EQ(w.recovery.rtt().min(), w.recovery.rtt().latest());
}

TEST(PersistentCongestion, TheExampleOfTheRfc) {
  // RFC 9002 §7.6.3: lost packets at 1 and 8 with a duration of 6.
  World w;
  w.recovery.set_peer_max_ack_delay(milliseconds{0});
  w.warm_up(
      milliseconds{650});  // 650 + 4 × 325 = 1950 ms, near the example's 2 s; the last ACK makes it shorter
  const TimePoint start = w.now;
  auto send_at = [&](int second) {
    w.now = start + seconds{second};
    return w.send();
  };
  const PacketNumber first = send_at(0);
  send_at(1);
  w.now = start + milliseconds{1200};
  w.ack(first, first);
  for (const int second : {2, 3, 4, 5, 6, 8}) send_at(second);
  const PacketNumber last = send_at(12);
  w.now = start + milliseconds{12'200};
  w.ack(last, last);
  EXPECT_TRUE(was_persistent(w));
}

}  // namespace
}  // namespace quell
