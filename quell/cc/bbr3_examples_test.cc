// Does BBRv3 do what the draft's example test cases ask (draft-ietf-ccwg-bbr, Appendix A)? One test each, in
// their order. "Spurious RTO Recovery" has no counterpart: QUIC's persistent congestion is never undone.
#include <gtest/gtest.h>

#include "quell/cc/bbr3_machine.h"
#include "quell/cc/bottleneck_for_test.h"

namespace quell::cc::bbr3 {
namespace {

using test::Bottleneck;
using test::Path;

constexpr ByteCount kPacket = Bottleneck::kPacket;
constexpr double kMegabit = 1e6 / 8;  // bytes per second

struct Bbr3Examples : ::testing::Test {
  Machine<SoundParts> bbr{Config{.max_datagram_size = kPacket, .seed = 7}};
  Bottleneck net{bbr, Path{}};  // 10 Mbit/s, 40 ms, a queue of one bandwidth-delay product

  bool reach(Phase phase, Duration limit = seconds{30}) {
    return net.run_until([&] { return bbr.phase() == phase; }, limit);
  }
  bool leave(Phase phase, Duration limit = seconds{30}) {
    return net.run_until([&] { return bbr.phase() != phase; }, limit);
  }
  double rate() const { return net.path.rate.bytes_per_second(); }
  double bdp() const { return rate() * to_seconds(net.path.rtt); }
  double in_flight() const { return static_cast<double>(net.in_flight()); }
  void limit_application_to(double share) { net.application = net.path.rate * share; }
};

TEST_F(Bbr3Examples, ExitsStartupOnABandwidthPlateau) {
  net.path.buffer = 1e9;  // so that no loss ends it
  int rounds_seen = 0;
  net.run_until(
      [&] {
        if (bbr.full_pipe().rounds_without_growth() == rounds_seen + 1) ++rounds_seen;
        return bbr.phase() != Phase::startup;
      },
      seconds{5});
  EXPECT_EQ(rounds_seen, 3);
  EXPECT_TRUE(bbr.full_pipe().is_full_now());
  EXPECT_TRUE(bbr.full_pipe().was_reached());
  EXPECT_EQ(bbr.phase(), Phase::drain);
  EXPECT_NEAR(bbr.max_bandwidth(), rate(), 0.02 * rate());
}

TEST_F(Bbr3Examples, ExitsStartupOnLossWhenApplicationLimited) {
  limit_application_to(0.8);  // 40 packets in flight
  net.run_for(seconds{2});
  ASSERT_EQ(bbr.phase(), Phase::startup);
  net.path.loss = 0.3;                             // a dozen of them, in more than six places
  EXPECT_TRUE(leave(Phase::startup, seconds{2}));  // to Drain, which may have nothing to drain
  EXPECT_TRUE(bbr.full_pipe().is_full_now());
  EXPECT_TRUE(bbr.full_pipe().was_reached());
  EXPECT_TRUE(bbr.long_term().is_set());
}

TEST_F(Bbr3Examples, ExitsDrainOnInflight) {
  ASSERT_TRUE(reach(Phase::drain));
  EXPECT_EQ(pacing_gain(bbr.phase()), 0.5);
  EXPECT_GT(in_flight(), bbr.inflight(1));
  const auto began = bbr.round().count();
  ASSERT_TRUE(leave(Phase::drain));
  EXPECT_LE(in_flight(), bbr.inflight(1));
  EXPECT_LE(bbr.round().count() - began, 3U);
  EXPECT_TRUE(is_probe_bw(bbr.phase()));
}

// A tenth less, as the draft has it, would still be drained at half the rate; a third is left here.
TEST_F(Bbr3Examples, ExitsDrainOnTime) {
  net.path.buffer = 1e9;
  ASSERT_TRUE(reach(Phase::drain));
  net.set_rate(net.path.rate * (1.0 / 3));
  const auto began = bbr.round().count();
  ASSERT_TRUE(leave(Phase::drain));
  EXPECT_GT(in_flight(), bbr.inflight(1));
  EXPECT_EQ(bbr.round().count() - began, 4U);  // more than three
  EXPECT_EQ(bbr.phase(), Phase::down);
}

TEST_F(Bbr3Examples, ExitsUpOnABandwidthPlateau) {
  net.path.buffer = 1e9;
  ASSERT_TRUE(reach(Phase::up));
  const auto began = bbr.round().count();
  ASSERT_TRUE(leave(Phase::up));
  EXPECT_EQ(net.lost(), 0U);
  EXPECT_TRUE(bbr.full_pipe().is_full_now());
  EXPECT_EQ(bbr.full_pipe().rounds_without_growth(), 3);
  EXPECT_GE(bbr.round().count() - began, 3U);
  EXPECT_EQ(bbr.phase(), Phase::down);
}

// The long-term bound stays as it was: what the application limited says nothing about it (draft §5.5.10.2).
TEST_F(Bbr3Examples, ExitsUpOnLossWhenApplicationLimited) {
  net.path.buffer = 1e9;
  ASSERT_TRUE(reach(Phase::refill));
  limit_application_to(0.8);
  ASSERT_TRUE(reach(Phase::up));
  net.run_for(seconds{1});
  ASSERT_EQ(bbr.phase(), Phase::up);
  const double before = bbr.long_term().inflight();
  net.path.loss = 0.2;
  EXPECT_TRUE(leave(Phase::up, milliseconds{200}));  // to DOWN, which may have nothing to drain
  EXPECT_EQ(bbr.long_term().inflight(), before);
}

TEST_F(Bbr3Examples, NeverExitsStartupWhenApplicationLimitedWithoutLoss) {
  limit_application_to(0.3);
  net.run_until(
      [&] {
        EXPECT_TRUE(bbr.phase() == Phase::startup || bbr.phase() == Phase::probe_rtt);
        return ::testing::Test::HasFailure();
      },
      seconds{60});
  EXPECT_FALSE(bbr.full_pipe().was_reached());
}

TEST_F(Bbr3Examples, NeverExitsUpWhenApplicationLimitedWithoutLoss) {
  ASSERT_TRUE(reach(Phase::refill));
  limit_application_to(0.3);
  ASSERT_TRUE(reach(Phase::up));
  ASSERT_TRUE(leave(Phase::up));
  EXPECT_EQ(bbr.phase(), Phase::probe_rtt);  // nothing else may end it
}

TEST_F(Bbr3Examples, ExitsDownOnInflight) {
  net.path.buffer = bdp() / 2;  // so that losses set the long-term bound
  ASSERT_TRUE(
      net.run_until([&] { return bbr.phase() == Phase::down && bbr.long_term().is_set(); }, seconds{60}));
  EXPECT_EQ(pacing_gain(bbr.phase()), 0.9);
  ASSERT_TRUE(leave(Phase::down));
  EXPECT_EQ(bbr.phase(), Phase::cruise);
  EXPECT_LE(in_flight(), bbr.long_term().with_headroom(kPacket, 4 * kPacket));
  EXPECT_LE(in_flight(), bbr.inflight(1));
}

// A tenth less is all that DOWN gives up, so two thirds are taken here to keep the queue from draining. The
// first DOWN: of a later one ProbeRTT might be the end.
TEST_F(Bbr3Examples, ExitsDownAfterItsMostTime) {
  net.path.buffer = 1e9;
  ASSERT_TRUE(reach(Phase::drain));
  net.set_rate(net.path.rate * (1.0 / 3));
  ASSERT_TRUE(reach(Phase::down));
  const TimePoint began = net.now();
  ASSERT_TRUE(leave(Phase::down));
  EXPECT_EQ(bbr.phase(), Phase::refill);
  EXPECT_LE(net.now() - began, seconds{3} + milliseconds{10});  // the next ACK sees it
}

TEST_F(Bbr3Examples, EntersAndExitsProbeRtt) {
  ASSERT_TRUE(reach(Phase::cruise));
  ASSERT_TRUE(reach(Phase::probe_rtt, seconds{6}));
  EXPECT_EQ(cwnd_gain(bbr.phase()), 0.5);
  EXPECT_LE(static_cast<double>(bbr.cwnd()), 0.5 * bdp() * 1.02);
  const TimePoint began = net.now();
  ASSERT_TRUE(leave(Phase::probe_rtt));
  EXPECT_GE(net.now() - began, milliseconds{200});
  // The flight falls to its target within two round trips, another one follows the 200 ms.
  EXPECT_LE(net.now() - began, milliseconds{200} + 4 * net.path.rtt);
  EXPECT_EQ(bbr.phase(), Phase::cruise);
  EXPECT_GT(net.goodput_for(seconds{2}), 0.9 * 10e6);
}

TEST_F(Bbr3Examples, SkipsProbeRttAfterSilence) {
  ASSERT_TRUE(reach(Phase::cruise));
  net.application = Rate{};
  net.run_for(seconds{6});
  ASSERT_EQ(net.in_flight(), 0U);
  net.application = Rate::unlimited();
  ASSERT_TRUE(net.run_until([&] { return net.in_flight() > 0; }, seconds{1}));
  EXPECT_TRUE(bbr.is_restarting_from_idle());
  net.run_until(
      [&] {
        EXPECT_NE(bbr.phase(), Phase::probe_rtt);
        return ::testing::Test::HasFailure();
      },
      seconds{4});
}

TEST_F(Bbr3Examples, FindsTheBandwidthInStartupWhenAcksComeInBundles) {
  net.path.ack_slot = milliseconds{30};
  net.path.buffer = 1e9;
  ASSERT_TRUE(reach(Phase::drain));
  // 30 ms of ACKs at once are that many bytes beyond the steady stream.
  EXPECT_GT(bbr.extra_acked(), 0.5 * rate() * 0.03);
  EXPECT_GT(static_cast<double>(bbr.cwnd()), 2 * bdp());
  EXPECT_GT(bbr.max_bandwidth(), 0.98 * rate());
}

TEST_F(Bbr3Examples, CruisesAtFullBandwidthWhenAcksComeInBundles) {
  net.path.buffer = 1e9;
  ASSERT_TRUE(reach(Phase::cruise));
  net.path.ack_slot = milliseconds{30};
  net.run_for(seconds{1});
  EXPECT_GT(bbr.extra_acked(), 0.5 * rate() * 0.03);
  // 2 % is what ProbeRTT takes, 1 % the pacing margin.
  EXPECT_GT(net.goodput_for(seconds{10}), 0.9 * 10e6);
}

TEST_F(Bbr3Examples, ManagesBandwidthDelayProductsOfLessThanAPacket) {
  net.path = {.rate = Rate::bits_per_second(64e3), .rtt = milliseconds{10}, .buffer = 10'000};  // 80 bytes
  ASSERT_TRUE(reach(Phase::cruise, seconds{60}));
  EXPECT_GE(bbr.cwnd(), 4 * kPacket);
  EXPECT_NEAR(bbr.bandwidth(), rate(), 0.02 * rate());
  net.run_until(
      [&] {
        EXPECT_GE(bbr.cwnd(), 4 * kPacket);
        return ::testing::Test::HasFailure();
      },
      seconds{5});
  EXPECT_GT(net.goodput_for(seconds{20}), 0.9 * 64e3);
}

// From 50 packets to 500 in flight: the bound grows by 1, 2, 4 … packets a round, the rate by a quarter, less
// what its sample lags behind: ln 10 / ln 1.15 = 17 rounds, and at most 63 rounds or 3 s before the probe.
TEST_F(Bbr3Examples, FindsTenTimesTheBandwidth) {
  ASSERT_TRUE(reach(Phase::cruise));
  net.path.rate = Rate::bits_per_second(100e6);
  net.path.buffer = 500'000;
  const TimePoint began = net.now();
  ASSERT_TRUE(net.run_until([&] { return bbr.max_bandwidth() > 0.9 * rate(); }, seconds{30}));
  EXPECT_LE(net.now() - began, seconds{3} + 30 * net.path.rtt);
}

// The filter forgets after two cycles of 2 to 3 s each.
TEST_F(Bbr3Examples, AdaptsToATenthOfTheBandwidth) {
  net.path.rate = Rate::bits_per_second(100e6);
  net.path.buffer = 500'000;
  ASSERT_TRUE(reach(Phase::cruise));
  net.path.rate = Rate::bits_per_second(10e6);
  net.path.buffer = 50'000;
  ASSERT_TRUE(net.run_until([&] { return bbr.short_term().bandwidth < 1.1 * rate(); }, seconds{3}));
  net.run_until([&] { return bbr.max_bandwidth() < 1.1 * rate(); }, seconds{12});
  EXPECT_LT(bbr.max_bandwidth(), 1.1 * rate());
  EXPECT_GT(net.goodput_for(seconds{5}), 0.9 * 10e6);
}

// Each probe finds the bucket full and empties it: a rate that is 25 % too high for 3 rounds or until 2 % are
// lost. In between the short-term model holds the flow to the token rate.
TEST_F(Bbr3Examples, ConformsToATokenBucket) {
  net.path.token_depth = 15'000;
  ASSERT_TRUE(reach(Phase::cruise, seconds{60}));
  net.run_for(seconds{10});
  const ByteCount lost = net.lost();
  const ByteCount delivered = net.delivered();
  net.run_for(seconds{20});
  const auto newly_lost = static_cast<double>(net.lost() - lost);
  const auto newly_delivered = static_cast<double>(net.delivered() - delivered);
  EXPECT_LT(newly_lost, 0.05 * newly_delivered);
  EXPECT_GT(newly_delivered * 8 / 20, 0.8 * 10e6);
}

TEST_F(Bbr3Examples, TakesASpuriousRecoveryBack) {
  net.path.buffer = 1e9;
  ASSERT_TRUE(reach(Phase::up));
  net.run_for(net.path.rtt);
  ASSERT_EQ(bbr.phase(), Phase::up);
  const ShortTerm short_term = bbr.short_term();
  const double long_term = bbr.long_term().inflight();
  net.late_packets = 5;
  net.late_by = milliseconds{20};
  ASSERT_TRUE(net.run_until([&] { return bbr.phase() == Phase::down; }, seconds{1}));
  ASSERT_TRUE(bbr.long_term().is_set());
  ASSERT_TRUE(net.run_until([&] { return net.undone() == 1; }, seconds{1}));
  EXPECT_EQ(bbr.short_term().bandwidth, short_term.bandwidth);
  EXPECT_EQ(bbr.short_term().inflight, short_term.inflight);
  EXPECT_EQ(bbr.long_term().inflight(), long_term);
  EXPECT_EQ(bbr.phase(), Phase::refill);
  ASSERT_TRUE(leave(Phase::refill));
  EXPECT_EQ(bbr.phase(), Phase::up);
}

TEST_F(Bbr3Examples, GoesBackToStartupFromProbeRtt) {
  limit_application_to(0.3);
  ASSERT_TRUE(reach(Phase::probe_rtt, seconds{6}));
  ASSERT_FALSE(bbr.full_pipe().was_reached());
  ASSERT_TRUE(leave(Phase::probe_rtt, seconds{1}));
  EXPECT_EQ(bbr.phase(), Phase::startup);
  net.application = Rate::unlimited();
  ASSERT_TRUE(reach(Phase::drain));
  EXPECT_NEAR(bbr.max_bandwidth(), rate(), 0.02 * rate());
}

TEST_F(Bbr3Examples, LossInUpLowersTheLongTermBoundByNoMoreThanBeta) {
  net.path.buffer = bdp();
  ASSERT_TRUE(net.run_until([&] { return bbr.phase() == Phase::up; }, seconds{30}));
  net.path.loss = 0.1;
  ASSERT_TRUE(net.run_until([&] { return bbr.long_term().is_set(); }, seconds{30}));
  net.path.loss = 0;
  ASSERT_TRUE(reach(Phase::up));
  const double before = bbr.long_term().inflight();
  net.path.loss = 0.1;
  ASSERT_TRUE(leave(Phase::up, seconds{2}));
  EXPECT_EQ(bbr.phase(), Phase::down);
  EXPECT_LE(bbr.long_term().inflight(), before * 1.25 + 2 * kPacket);
  EXPECT_GE(bbr.long_term().inflight(), 0.7 * bdp() * 0.98);
}

TEST_F(Bbr3Examples, AnApplicationThatPausesInRefillLeavesTheBandwidthAsItIs) {
  net.path.buffer = 1e9;
  ASSERT_TRUE(reach(Phase::refill));
  const double before = bbr.max_bandwidth();
  limit_application_to(0.1);
  ASSERT_TRUE(leave(Phase::refill));
  EXPECT_EQ(bbr.phase(), Phase::up);
  net.run_for(seconds{1});
  EXPECT_EQ(bbr.max_bandwidth(), before);
  net.application = Rate::unlimited();
  EXPECT_GT(net.goodput_for(seconds{3}), 0.9 * 10e6);
}

}  // namespace
}  // namespace quell::cc::bbr3
