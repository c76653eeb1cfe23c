// Does HyStart++ say what RFC 9406 §4.2 says?
#include "quell/cc/hystart.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <limits>
#include <utility>
#include <vector>

#include "quell/cc/cubic.h"
#include "quell/cc/loop_for_test.h"
#include "quell/cc/reno.h"

namespace quell::cc {
namespace {

using test::kPacket;

// A window whose every packet is sent at once and acknowledged one by one: a round is a call.
struct Rounds {
  explicit Rounds(bool is_paced = true) : hystart({.is_paced = is_paced}) {
    window.set_packet(kPacket);
    window.bytes = 10 * kPacket;
    window.max_flight = static_cast<double>(kMostWindow);
  }

  void send(int packets) {
    for (int i = 0; i < packets; ++i) hystart.on_sent({.number = next++, .bytes = kPacket});
  }
  void ack(Duration rtt, ByteCount bytes = kPacket, bool is_new = true) {
    const AckedPacket packet{.number = acked++, .bytes = kPacket};
    hystart.on_ack(window, {.acked_bytes = bytes,
                            .growable_bytes = bytes,
                            .rtt = {.latest = rtt, .min = rtt, .smoothed = rtt, .is_new = is_new},
                            .packets = {&packet, 1}});
  }
  void round(Duration rtt, int packets = 10) {
    send(packets);
    for (int i = 0; i < packets; ++i) ack(rtt);
  }

  HyStart hystart;
  Window window;
  PacketNumber next = 0;
  PacketNumber acked = 0;
};

bool is_suspicious(const Rounds& rounds) {
  return rounds.hystart.state() == State::conservative_slow_start;
}

TEST(HyStart, GrowsByEveryByteWhileTheDelayStays) {
  Rounds rounds;
  for (int i = 0; i < 20; ++i) rounds.round(milliseconds{100});
  EXPECT_EQ(rounds.window.cwnd(), (10 + 200) * kPacket);
  EXPECT_FALSE(is_suspicious(rounds));
  EXPECT_FALSE(rounds.hystart.is_over());
}

// RttThresh = max(4 ms, min(last / 8, 16 ms)).
TEST(HyStart, SuspectsAQueueOnceARoundsLeastDelayRisesByItsThreshold) {
  const std::pair<int, int> last_and_threshold[] = {{1, 4}, {10, 4}, {80, 10}, {128, 16}, {600, 16}};
  for (const auto& [last, threshold] : last_and_threshold) {
    Rounds below;
    below.round(milliseconds{last});
    below.round(milliseconds{last + threshold} - nanoseconds{1});
    EXPECT_FALSE(is_suspicious(below)) << last;
    Rounds at;
    at.round(milliseconds{last});
    at.round(milliseconds{last + threshold});
    EXPECT_TRUE(is_suspicious(at)) << last;
  }
}

TEST(HyStart, JudgesNoRoundByFewerThanEightSamples) {
  Rounds rounds;
  rounds.round(milliseconds{40});
  rounds.send(10);
  for (int i = 0; i < 7; ++i) rounds.ack(milliseconds{80});
  EXPECT_FALSE(is_suspicious(rounds));
  rounds.ack(milliseconds{80}, kPacket, false);  // an ACK without a sample says nothing
  EXPECT_FALSE(is_suspicious(rounds));
  rounds.ack(milliseconds{80});
  EXPECT_TRUE(is_suspicious(rounds));
}

TEST(HyStart, BelievesTheLeastSampleOfARound) {
  Rounds rounds;
  rounds.round(milliseconds{40});
  rounds.send(20);
  rounds.ack(milliseconds{40});
  for (int i = 0; i < 19; ++i) rounds.ack(milliseconds{200});
  EXPECT_FALSE(is_suspicious(rounds));
}

TEST(HyStart, GrowsByAQuarterWhileItSuspects) {
  Rounds rounds;
  rounds.round(milliseconds{40});
  rounds.round(milliseconds{80}, 8);
  ASSERT_TRUE(is_suspicious(rounds));
  const double before = rounds.window.bytes;
  rounds.round(milliseconds{80}, 20);
  EXPECT_DOUBLE_EQ(rounds.window.bytes, before + 20 * kPacket / 4.0);
}

TEST(HyStart, GoesBackToSlowStartWhenTheDelayFallsBelowWhatRaisedSuspicion) {
  Rounds rounds;
  rounds.round(milliseconds{40});
  rounds.round(milliseconds{80});
  rounds.round(milliseconds{80});
  EXPECT_TRUE(is_suspicious(rounds));
  rounds.round(milliseconds{79});
  EXPECT_FALSE(is_suspicious(rounds));
  const double before = rounds.window.bytes;
  rounds.round(milliseconds{79});
  EXPECT_DOUBLE_EQ(rounds.window.bytes, before + 10 * kPacket);
}

TEST(HyStart, IsOverAfterFiveRoundsOfSuspicionTheFirstBeingAPart) {
  Rounds rounds;
  rounds.round(milliseconds{40});
  for (int round = 1; round <= 5; ++round) {
    rounds.round(milliseconds{80});
    EXPECT_FALSE(rounds.hystart.is_over()) << round;
  }
  rounds.send(1);
  rounds.ack(milliseconds{80});
  EXPECT_TRUE(rounds.hystart.is_over());
}

TEST(HyStart, CountsAnewWhenSuspicionComesAgain) {
  Rounds rounds;
  rounds.round(milliseconds{40});
  for (int i = 0; i < 3; ++i) rounds.round(milliseconds{80});
  rounds.round(milliseconds{60});
  for (int i = 0; i < 5; ++i) rounds.round(milliseconds{80});
  EXPECT_TRUE(is_suspicious(rounds));
  rounds.round(milliseconds{80});
  EXPECT_TRUE(rounds.hystart.is_over());
}

TEST(HyStart, TakesNoMoreThanEightPacketsFromAnAckUnlessPaced) {
  Rounds unpaced{false};
  unpaced.send(100);
  unpaced.ack(milliseconds{40}, 100 * kPacket);
  EXPECT_EQ(unpaced.window.cwnd(), (10 + 8) * kPacket);
  Rounds paced{true};
  paced.send(100);
  paced.ack(milliseconds{40}, 100 * kPacket);
  EXPECT_EQ(paced.window.cwnd(), (10 + 100) * kPacket);
}

TEST(HyStart, IsClassicOnceAThresholdIsKnown) {
  Rounds rounds;
  rounds.window.ssthresh = 1000 * kPacket;
  rounds.round(milliseconds{40});
  for (int i = 0; i < 20; ++i) rounds.round(milliseconds{400});
  EXPECT_EQ(rounds.window.cwnd(), (10 + 210) * kPacket);
  EXPECT_FALSE(rounds.hystart.is_over());
}

TEST(HyStart, ForgetsTheOldPathsDelay) {
  Rounds rounds;
  rounds.round(milliseconds{40});
  rounds.hystart.restart();
  rounds.round(milliseconds{80});
  EXPECT_FALSE(is_suspicious(rounds));
}

// The queue of a path that has more window than bandwidth, as controllers see it.
TEST(HyStart, EndsSlowStartOfBothControllersWithoutALoss) {
  for (const auto make : {make_cubic, make_reno}) {
    test::Loop loop{make({.max_datagram_size = kPacket}), milliseconds{40}};
    loop.run_for(milliseconds{120});
    EXPECT_EQ(loop.controller().state(), State::slow_start);
    for (int round = 1; round < 10; ++round) {
      loop.set_rtt(milliseconds{40 + 10 * round});
      loop.run_for(milliseconds{40 + 10 * round});
    }
    EXPECT_EQ(loop.controller().state(), State::congestion_avoidance);
    ASSERT_TRUE(loop.controller().ssthresh());
    EXPECT_LE(*loop.controller().ssthresh(), loop.controller().cwnd());
  }
}

TEST(HyStart, StaysOutOfTheWayOfControllersThatAreNamedClassic) {
  for (const auto make : {make_cubic_classic, make_reno_classic}) {
    test::Loop loop{make({.max_datagram_size = kPacket}), milliseconds{40}};
    for (int round = 0; round < 10; ++round) {
      loop.set_rtt(milliseconds{40 + 10 * round});
      loop.run_for(milliseconds{40 + 10 * round});
    }
    EXPECT_EQ(loop.controller().state(), State::slow_start);
  }
}

// RFC 9406 §4.2 once more, in its own variables and order.
struct Text {
  static constexpr double kInfinity = std::numeric_limits<double>::infinity();
  double cwnd;
  double L;
  double last_round_min_rtt = kInfinity, current_round_min_rtt = kInfinity, css_baseline_min_rtt = kInfinity;
  int rtt_sample_count = 0;
  int css_rounds = 0;
  bool is_css = false, is_ca = false;

  void round_ends() {
    if (is_css && ++css_rounds == 5) is_ca = true;
    last_round_min_rtt = current_round_min_rtt;
    current_round_min_rtt = kInfinity;
    rtt_sample_count = 0;
  }
  void ack(double segments, double rtt_ms) {
    if (is_ca) return;
    cwnd += (segments < L ? segments : L) / (is_css ? 4 : 1);
    if (rtt_ms < current_round_min_rtt) current_round_min_rtt = rtt_ms;
    ++rtt_sample_count;
    if (rtt_sample_count < 8) return;
    if (is_css) {
      if (current_round_min_rtt < css_baseline_min_rtt) {
        css_baseline_min_rtt = kInfinity;
        is_css = false;
      }
    } else if (last_round_min_rtt != kInfinity) {
      double thresh = last_round_min_rtt / 8;
      if (thresh > 16) thresh = 16;
      if (thresh < 4) thresh = 4;
      if (current_round_min_rtt >= last_round_min_rtt + thresh) {
        css_baseline_min_rtt = current_round_min_rtt;
        is_css = true;
        css_rounds = 0;
      }
    }
  }
};

RC_GTEST_PROP(HyStart, AgreesWithTheTextAtEveryAck, ()) {
  const bool is_paced = *rc::gen::arbitrary<bool>();
  Rounds rounds{is_paced};
  Text text{.cwnd = 10, .L = is_paced ? Text::kInfinity : 8};
  for (int round = 0; round < 30; ++round) {
    const int packets = *rc::gen::inRange(1, 20);
    const int base = *rc::gen::elementOf(std::vector<int>{8, 40, 48, 96, 400});
    rounds.send(packets);
    if (round > 0) text.round_ends();
    for (int i = 0; i < packets; ++i) {
      const auto bytes = *rc::gen::inRange<ByteCount>(0, 20 * kPacket);
      const int rtt = base + *rc::gen::inRange(0, 8);
      rounds.ack(milliseconds{rtt}, bytes);
      text.ack(static_cast<double>(bytes) / kPacket, rtt);
      RC_ASSERT(std::abs(rounds.window.packets() - text.cwnd) < 1e-6 * text.cwnd);
      RC_ASSERT(rounds.hystart.is_over() == text.is_ca);
    }
  }
}

}  // namespace
}  // namespace quell::cc
