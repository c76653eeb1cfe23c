#include "quell/recovery/prr.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <string>

namespace quell {
namespace {

constexpr ByteCount kPacket = 1000;

// A sender with more data than it may send, in whole packets, and the path's books.
class Episode {
 public:
  // `flight` packets before the ACK that revealed the loss.
  Episode(ByteCount flight, ByteCount target) : flight_(flight * kPacket), target_(target * kPacket) {
    prr_.begin(flight_);
  }

  // One ACK, one packet delivered, `lost` declared lost; returns how many packets leave.
  std::size_t ack(ByteCount lost = 0, bool is_safe = false) {
    flight_ -= (1 + lost) * kPacket;
    prr_.on_ack({.delivered = kPacket,
                 .in_flight = flight_,
                 .target = target_,
                 .is_safe = is_safe,
                 .packet = kPacket});
    return send_all();
  }
  std::size_t send_all() {
    std::size_t count = 0;
    for (; prr_.budget(flight_, kPacket) >= kPacket; ++count) {
      prr_.on_sent(kPacket);
      flight_ += kPacket;
    }
    return count;
  }

  Prr& prr() { return prr_; }
  ByteCount flight() const { return flight_ / kPacket; }

 private:
  ByteCount flight_;
  ByteCount target_;
  Prr prr_;
};

// RFC 9937 §7, the first example: 20 segments, the first lost, a window cut in half. The retransmission
// leaves with the ACK that reveals the loss, then a segment with every other ACK.
TEST(Prr, AfterOneLossASegmentLeavesWithEveryOtherAck) {
  Episode episode{20, 10};
  std::string sent = episode.ack(1) == 1 ? "R" : "?";
  for (int i = 0; i < 15; ++i) sent += episode.ack() == 1 ? 'N' : '-';
  EXPECT_EQ(sent, "R-N-N-N-N-N-N-N-");
  EXPECT_EQ(episode.flight(), 20 - 1 - 16 + 8U);
}

TEST(Prr, TheFlightEndsAtTheTarget) {
  for (const ByteCount target : {7, 10, 14, 19}) {
    Episode episode{20, target};
    episode.ack(1);
    for (int i = 0; i < 18; ++i) episode.ack();
    EXPECT_EQ(episode.flight(), target);
  }
}

// RFC 9937 §7, the second example: 15 of 20 lost. Where a sender without PRR would burst up to its window,
// each ACK lets as much leave as it delivers.
TEST(Prr, AfterHeavyLossTheFlightIsConserved) {
  Episode episode{20, 10};
  EXPECT_EQ(episode.ack(15), 1U);
  for (int i = 0; i < 4; ++i) EXPECT_EQ(episode.ack(), 1U);
  EXPECT_EQ(episode.flight(), 5U);
}

// RFC 9937 §6.2: SafeACK.
TEST(Prr, WithProgressTheFlightGrowsAsInSlowStartUpToTheTarget) {
  Episode episode{20, 10};
  EXPECT_EQ(episode.ack(15), 1U);
  for (int i = 0; i < 5; ++i) EXPECT_EQ(episode.ack(0, true), 2U);
  EXPECT_EQ(episode.flight(), 10U);
  EXPECT_EQ(episode.ack(0, true), 1U);  // at the target: what arrives is replaced
}

TEST(Prr, APartOfAPacketThatWasNotUsedIsKept) {
  Prr prr;
  prr.begin(10 * kPacket);
  const Prr::Ack half{.delivered = kPacket / 2,
                      .in_flight = 3 * kPacket,
                      .target = 5 * kPacket,
                      .is_safe = false,
                      .packet = kPacket};
  prr.on_sent(kPacket);
  prr.on_ack(half);
  EXPECT_EQ(prr.budget(half.in_flight, kPacket), kPacket / 2);
  for (int i = 0; i < 3; ++i) prr.on_ack(half);
  EXPECT_EQ(prr.budget(half.in_flight, kPacket), kPacket);  // 2 delivered, 1 sent
}

TEST(Prr, AnEpisodeBeginsWithOnePacketWhateverTheFlight) {
  Episode episode{20, 10};
  EXPECT_EQ(episode.send_all(), 1U);  // the loss timer fired: no ACK came
  EXPECT_EQ(episode.send_all(), 0U);
}

TEST(Prr, AnAckThatDeliversNothingLetsNothingLeave) {
  Episode episode{20, 10};
  episode.ack(1);
  episode.prr().on_ack(
      {.delivered = 0, .in_flight = 2 * kPacket, .target = 10 * kPacket, .is_safe = true, .packet = kPacket});
  EXPECT_EQ(episode.prr().budget(2 * kPacket, kPacket), 0U);
}

// Only an ACK or a PTO could call for more, and an empty flight draws neither.
TEST(Prr, ADrainedFlightIsNotHeldBack) {
  Prr prr;
  prr.begin(4 * kPacket);
  prr.on_sent(kPacket);
  EXPECT_EQ(prr.budget(kPacket, kPacket), 0U);
  EXPECT_EQ(prr.budget(0, kPacket), kPacket);
}

TEST(Prr, ProbesArePaidFor) {
  Episode episode{20, 10};
  episode.ack(1);
  episode.prr().on_sent(2 * kPacket);                        // a PTO's; never asked for a budget
  for (int i = 0; i < 5; ++i) EXPECT_EQ(episode.ack(), 0U);  // 6 delivered × ½, 3 sent
  EXPECT_EQ(episode.ack(), 1U);
}

// A flight far above what fits a double's product exactly, so that nothing overflows.
TEST(Prr, AFlightOfTerabytesIsReducedInProportion) {
  constexpr ByteCount kTera = ByteCount{1} << 40;
  Prr prr;
  prr.begin(kTera);
  prr.on_ack({.delivered = kTera / 2,
              .in_flight = kTera * 3 / 4,
              .target = kTera / 2,
              .is_safe = false,
              .packet = kPacket});
  EXPECT_NEAR(static_cast<double>(prr.budget(kTera * 3 / 4, kPacket)), static_cast<double>(kTera / 4),
              kPacket);
}

// The strong bound (RFC 9937 §5): whatever is lost and whatever the application withholds, ACKs never let the
// flight rise above the larger of its target and what it was, nor more leave than arrived until then, but for
// the first packet and a packet for each sign of progress.
RC_GTEST_PROP(Prr, TheFlightNeverRisesAboveTheLargerOfTargetAndBefore, ()) {
  ByteCount flight = *rc::gen::inRange<ByteCount>(2, 200) * kPacket;
  const ByteCount target = *rc::gen::inRange<ByteCount>(2, 200) * kPacket;
  const ByteCount before = flight;
  Prr prr;
  prr.begin(flight);
  ByteCount safe = 0;
  for (int i = 0; i < 100 && flight > 0; ++i) {
    const ByteCount delivered = *rc::gen::inRange<ByteCount>(1, std::min(flight, 4 * kPacket) + 1);
    flight -= delivered;
    flight -= *rc::gen::weightedElement<ByteCount>({{5, 0}, {1, std::min(flight, 3 * kPacket)}});
    const bool is_safe = *rc::gen::arbitrary<bool>();
    safe += is_safe ? kPacket : 0;
    prr.on_ack({.delivered = delivered,
                .in_flight = flight,
                .target = target,
                .is_safe = is_safe,
                .packet = kPacket});
    const ByteCount budget = prr.budget(flight, kPacket);
    RC_ASSERT(flight + budget <= std::max(target, before) + kPacket);
    const ByteCount used = *rc::gen::inRange<ByteCount>(0, budget + 1);
    prr.on_sent(used);
    flight += used;
    // A drained flight's packets count too: each replaces one that was delivered or lost.
    RC_ASSERT(prr.sent() <= before + prr.delivered() + safe);
  }
}

// RFC 9937 §5: where losses leave the flight above the target, it arrives there when all of RecoverFS has
// been delivered or lost, within a packet.
RC_GTEST_PROP(Prr, AnUnlimitedSenderArrivesAtItsTarget, ()) {
  const ByteCount target = *rc::gen::inRange<ByteCount>(2, 200);
  const ByteCount flight = target + *rc::gen::inRange<ByteCount>(1, 200);
  const ByteCount lost = *rc::gen::inRange<ByteCount>(1, flight - target + 1);
  Episode episode{flight, target};
  episode.ack(std::min(lost, flight - 1));
  for (ByteCount i = 1 + lost; i < flight; ++i) episode.ack();
  RC_ASSERT(episode.flight() <= target);
  RC_ASSERT(episode.flight() + 1 >= target);
}

}  // namespace
}  // namespace quell
