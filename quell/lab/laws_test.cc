// Does each law fire when it is broken? A connection that says of itself what the trace denies.
#include "quell/lab/laws.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quell/cc/controller.h"

namespace quell::lab {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

constexpr TimePoint kStart{seconds{1}};
constexpr ByteCount kPacket = 1200;
constexpr std::uint8_t kPing[] = {0x01};

// A server in the middle of its life: confirmed, ten packets of window, nothing in flight.
class LawsTest : public testing::Test {
 protected:
  LawsTest() {
    watch.handshake_progress({.milestone = trace::HandshakeProgress::Milestone::confirmed, .alpn = {}}, now);
    facts.stats.cwnd = 10 * kPacket;
    facts.next_turn = kStart + seconds{9};
    tell();
    turn();
  }

  void send(int packets, bool is_pto_probe = false) {
    for (int i = 0; i < packets; ++i) {
      watch.packet_sent({.type = PacketType::one_rtt,
                         .number = next++,
                         .size = kPacket,
                         .payload = kPing,
                         .destination = {},
                         .source = {},
                         .is_pto_probe = is_pto_probe,
                         .is_in_flight = true},
                        now);
      facts.stats.bytes_in_flight += kPacket;
    }
  }

  // All up to `largest`, in one range.
  void acknowledge(std::uint8_t largest) {
    const std::uint8_t frame[] = {0x02, largest, 0, 0, largest};  // ACK: largest, delay, ranges, first range
    watch.packet_received({.type = PacketType::one_rtt,
                           .number = 0,
                           .size = 50,
                           .payload = frame,
                           .destination = {},
                           .source = {}},
                          now);
    facts.stats.bytes_in_flight = watch.ledger().in_flight();
  }

  void lose(PacketNumber number) {
    watch.packet_lost({.space = Space::application, .number = number, .size = kPacket}, now);
    facts.stats.bytes_in_flight = watch.ledger().in_flight();
  }

  // What the transport says of itself.
  void tell(std::uint32_t pto_count = 0) {
    trace::RecoveryMetrics metrics;
    metrics.pto_count = pto_count;
    metrics.cwnd = facts.stats.cwnd;
    metrics.max_datagram_size = kPacket;
    watch.recovery_metrics(metrics, now);
  }

  void turn(ByteCount backlog = 0) {
    laws.check(facts, now);
    watch.end_turn(backlog);
    now += milliseconds{10};
  }

  TimePoint now = kStart;
  PacketNumber next = 0;
  Watch watch{false, kStart};
  Laws laws{Side::server, false, watch, kStart};
  Laws::Facts facts;
};

TEST_F(LawsTest, ASenderThatFillsItsWindowMayGrowIt) {
  send(10);
  turn();
  acknowledge(9);
  facts.stats.cwnd += 10 * kPacket;
  tell();
  turn();
  EXPECT_THAT(laws.broken(), IsEmpty());
}

TEST_F(LawsTest, OneThatIsHeldBackByItsPacerMayToo) {
  send(3);
  turn(1'000'000);
  acknowledge(2);
  facts.stats.cwnd += 3 * kPacket;
  tell();
  turn();
  EXPECT_THAT(laws.broken(), IsEmpty());
}

TEST_F(LawsTest, NoGrowthOfAnUnusedWindow) {
  send(3);
  turn(0);
  acknowledge(2);
  facts.stats.cwnd += 1;
  tell();
  turn();
  EXPECT_THAT(laws.broken(), ElementsAre(StartsWith("no growth of an unused window at ")));
}

TEST_F(LawsTest, GrowthWithinWhatWasAcknowledged) {
  send(10);
  turn();
  acknowledge(1);
  facts.stats.cwnd += 2 * kPacket + 1;
  tell();
  turn();
  EXPECT_THAT(laws.broken(), ElementsAre(StartsWith("growth within what was acknowledged at "),
                                         StartsWith("no growth of an unused window at ")));
}

TEST_F(LawsTest, ACutNamesItsCause) {
  send(5);
  turn();
  facts.stats.cwnd -= 2 * kPacket;
  ++facts.stats.recovery.congestion_events;  // it says so, but nothing was lost and nothing marked
  tell();
  turn();
  EXPECT_THAT(laws.broken(), ElementsAre(StartsWith("every cut has a cause at ")));
}

TEST_F(LawsTest, ALossIsACause) {
  send(5);
  turn();
  lose(0);
  facts.stats.cwnd -= 2 * kPacket;
  ++facts.stats.recovery.congestion_events;
  tell();
  turn();
  EXPECT_THAT(laws.broken(), IsEmpty());
}

TEST_F(LawsTest, TheWindowHasAFloorAndACap) {
  facts.stats.cwnd = 2 * kPacket - 1;
  ++facts.stats.recovery.persistent_congestion_events;
  turn();
  facts.stats.cwnd = cc::kMostWindow + 1;
  ++facts.stats.recovery.spurious_episodes;
  turn();
  EXPECT_THAT(laws.broken(), ElementsAre(StartsWith("floor at "), StartsWith("cap at ")));
}

TEST_F(LawsTest, WhatIsInFlightIsWhatIsOutstanding) {
  send(2);
  facts.stats.bytes_in_flight -= 1;
  turn();
  EXPECT_THAT(laws.broken(), ElementsAre(StartsWith("bytes_in_flight at ")));
}

TEST_F(LawsTest, AProbeLeavesWhenItsTimerFires) {
  send(10);
  turn();
  tell(1);
  send(1, true);
  turn();
  EXPECT_THAT(laws.broken(), IsEmpty());
  tell(2);
  turn();
  EXPECT_THAT(laws.broken(), ElementsAre(StartsWith("a probe leaves at its time at ")));
}

TEST_F(LawsTest, AnAckLeavesWithinItsDelay) {
  watch.packet_received({.type = PacketType::one_rtt,
                         .number = 0,
                         .size = 50,
                         .payload = kPing,
                         .destination = {},
                         .source = {}},
                        now);
  turn();
  turn();
  now += milliseconds{6};
  EXPECT_THAT(laws.broken(), IsEmpty());
  turn();
  turn();
  EXPECT_THAT(laws.broken(), ElementsAre(HasSubstr("an ACK leaves at its time at ")));
}

TEST_F(LawsTest, TheGrowthClockNeitherRunsBackNorAhead) {
  facts.stats.growth_clock = seconds{100};
  turn();
  facts.stats.growth_clock = Duration{0};
  turn();
  EXPECT_THAT(laws.broken(), ElementsAre(StartsWith("growth clock behind the wall clock at "),
                                         StartsWith("growth clock runs forward at ")));
}

TEST_F(LawsTest, AFullWindowMovesTheGrowthClock) {
  facts.stats.smoothed_rtt = milliseconds{20};
  facts.is_data_waiting = true;
  send(10);
  for (int i = 0; i < 4; ++i) turn(1'000'000);
  EXPECT_THAT(laws.broken(), ElementsAre(StartsWith("growth clock not frozen at ")));
}

TEST_F(LawsTest, DataThatWaitsHasANextWakeUp) {
  facts.is_data_waiting = true;
  facts.next_turn.reset();
  turn();
  EXPECT_THAT(laws.broken(), ElementsAre(StartsWith("a finite next wake-up at ")));
}

}  // namespace
}  // namespace quell::lab
