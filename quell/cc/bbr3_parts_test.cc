// Does each small part of BBRv3 answer its question as the draft has it?
#include <gtest/gtest.h>

#include "quell/cc/bbr3_ack_aggregation.h"
#include "quell/cc/bbr3_delivery_signals.h"
#include "quell/cc/bbr3_full_pipe.h"
#include "quell/cc/bbr3_long_term.h"
#include "quell/cc/bbr3_loss_rate.h"
#include "quell/cc/bbr3_max_bandwidth.h"
#include "quell/cc/bbr3_min_rtt.h"
#include "quell/cc/bbr3_pacing.h"
#include "quell/cc/bbr3_phase.h"
#include "quell/cc/bbr3_probe_rtt.h"
#include "quell/cc/bbr3_probe_wait.h"
#include "quell/cc/bbr3_round.h"
#include "quell/cc/bbr3_short_term.h"
#include "quell/cc/bbr3_startup_loss.h"

namespace quell::cc::bbr3 {
namespace {

constexpr double kPacket = 1000;
TimePoint at(Duration d) {
  return TimePoint{d};
}

// --- gains (draft §5.6.1)

TEST(Bbr3Phase, HasTheGainsOfTheDraftsTable) {
  const struct {
    Phase phase;
    double pacing, cwnd;
  } rows[] = {{Phase::startup, 2.77, 2}, {Phase::drain, 0.5, 2}, {Phase::down, 0.9, 2},
              {Phase::cruise, 1, 2},     {Phase::refill, 1, 2},  {Phase::up, 1.25, 2.25},
              {Phase::probe_rtt, 1, 0.5}};
  for (const auto& row : rows) {
    EXPECT_EQ(pacing_gain(row.phase), row.pacing) << to_string(row.phase);
    EXPECT_EQ(cwnd_gain(row.phase), row.cwnd) << to_string(row.phase);
  }
}

// --- rounds (draft §5.5.1)

TEST(Bbr3Round, EndsWithAPacketSentAfterItBegan) {
  Round round;
  round.on_ack(0, 1000);
  EXPECT_TRUE(round.is_start());
  round.on_ack(0, 2000);  // sent before that ACK
  EXPECT_FALSE(round.is_start());
  round.on_ack(1000, 3000);
  EXPECT_TRUE(round.is_start());
  EXPECT_EQ(round.count(), 2U);
}

TEST(Bbr3Round, BeginsAnewWhenAPhaseWantsARoundOfItsOwn) {
  Round round;
  round.on_ack(0, 1000);
  round.start(1500);
  round.on_ack(1000, 2000);
  EXPECT_FALSE(round.is_start());
  round.on_ack(1500, 3000);
  EXPECT_TRUE(round.is_start());
}

// --- the full pipe (draft §5.3.1.2)

TEST(Bbr3FullPipe, IsFullAfterThreeRoundsWithoutAQuarterMore) {
  FullPipe pipe;
  pipe.on_ack({.rate = 1000}, true);
  pipe.on_ack({.rate = 1250}, true);  // just grown enough: the new baseline
  EXPECT_EQ(pipe.baseline(), 1250);
  for (int i = 0; i < 3; ++i) {
    EXPECT_FALSE(pipe.was_reached());
    pipe.on_ack({.rate = 1250 * 1.249}, true);
    pipe.on_ack({.rate = 1250}, false);  // within the round
  }
  EXPECT_TRUE(pipe.is_full_now());
  EXPECT_TRUE(pipe.was_reached());
}

TEST(Bbr3FullPipe, GrowthStartsTheCountAnew) {
  FullPipe pipe;
  for (const double rate : {1000, 1000, 1000, 1300, 1300, 1300}) pipe.on_ack({.rate = rate}, true);
  EXPECT_FALSE(pipe.was_reached());
  EXPECT_EQ(pipe.rounds_without_growth(), 2);
}

TEST(Bbr3FullPipe, RoundsLimitedByTheApplicationDoNotCount) {
  FullPipe pipe;
  for (int i = 0; i < 100; ++i) pipe.on_ack({.rate = 1000, .is_app_limited = true}, true);
  EXPECT_FALSE(pipe.was_reached());
}

TEST(Bbr3FullPipe, ANewSearchForgetsThePresentNotThePast) {
  FullPipe pipe;
  pipe.declare_full();
  pipe.restart(500);
  EXPECT_FALSE(pipe.is_full_now());
  EXPECT_TRUE(pipe.was_reached());
  EXPECT_EQ(pipe.baseline(), 500);
}

// --- losses (draft §5.3.1.3, §5.5.10.2)

TEST(Bbr3LossRate, MoreThanTwoPercentAreTooMany) {
  EXPECT_FALSE(is_inflight_too_high(20, 1000));
  EXPECT_TRUE(is_inflight_too_high(20.1, 1000));
}

// 1,000 bytes that are in flight after 99,000 and lost after 1,500: 2 % are (99,000 + x) × 0.02 = 1,500 + x,
// so x = 480 / 0.98.
TEST(Bbr3LossRate, FindsWhereInALostPacketTheThresholdLies) {
  EXPECT_NEAR(inflight_at_loss(1000, 100'000, 2500), 99'000 + 480 / 0.98, 1e-6);
  EXPECT_EQ(inflight_at_loss(1000, 100'000, 50'000), 99'000);  // before it
}

TEST(Bbr3StartupLoss, TakesSixPlacesAndTwoPercentInOneRound) {
  const Sample lossy{.tx_in_flight = 100 * kPacket, .lost = 6 * kPacket};
  StartupLoss loss;
  for (PacketNumber n = 0; n < 12; n += 2) loss.on_lost(n);
  EXPECT_TRUE(loss.on_loss_round_end(lossy));
  EXPECT_FALSE(loss.on_loss_round_end(lossy));  // none in this one
}

TEST(Bbr3StartupLoss, OneBurstIsOnePlace) {
  const Sample lossy{.tx_in_flight = 100 * kPacket, .lost = 50 * kPacket};
  StartupLoss loss;
  for (PacketNumber n = 10; n < 60; ++n) loss.on_lost(n);
  EXPECT_FALSE(loss.on_loss_round_end(lossy));
}

TEST(Bbr3StartupLoss, SixPlacesInALargeFlightAreBearable) {
  StartupLoss loss;
  for (PacketNumber n = 0; n < 12; n += 2) loss.on_lost(n);
  EXPECT_FALSE(loss.on_loss_round_end({.tx_in_flight = 1000 * kPacket, .lost = 6 * kPacket}));
}

// --- the short-term model (draft §5.5.10.3)

TEST(Bbr3DeliverySignals, ALossBeginsARoundOfItsOwn) {
  DeliverySignals signals;
  signals.begin_ack({.rate = 10, .delivered = 100, .prior_delivered = 0, .total_delivered = 1000});
  signals.end_ack({.rate = 10, .delivered = 100});
  signals.on_loss(5000);
  signals.begin_ack({.rate = 30, .delivered = 300, .prior_delivered = 4999, .total_delivered = 6000});
  EXPECT_FALSE(signals.is_round_end());
  signals.end_ack({.rate = 30, .delivered = 300});
  signals.begin_ack({.rate = 20, .delivered = 200, .prior_delivered = 5000, .total_delivered = 7000});
  EXPECT_TRUE(signals.is_round_end());
  EXPECT_EQ(signals.bandwidth(), 30);  // of the whole round
  EXPECT_EQ(signals.inflight(), 300);
  signals.end_ack({.rate = 20, .delivered = 200});
  EXPECT_EQ(signals.bandwidth(), 20);  // the next one begins with it
}

TEST(Bbr3ShortTerm, FollowsDeliveryButNotFasterThanBeta) {
  DeliverySignals latest;
  latest.begin_ack({.rate = 90, .delivered = 10});
  ShortTerm model;
  model.on_lossy_round(latest, 100, 1000);
  EXPECT_EQ(model.bandwidth, 90);
  EXPECT_EQ(model.inflight, 700);
  model.on_lossy_round(latest, 100, 1000);
  EXPECT_EQ(model.bandwidth, 90);
  EXPECT_DOUBLE_EQ(model.inflight, 490);
}

// --- the long-term model (draft §5.3.3.8)

TEST(Bbr3LongTerm, LeavesFifteenPercentForOthersAndAtLeastAPacket) {
  LongTerm model;
  EXPECT_EQ(model.with_headroom(kPacket, 4 * kPacket), kUnbounded);
  model.set(100 * kPacket);
  EXPECT_DOUBLE_EQ(model.with_headroom(kPacket, 4 * kPacket), 85 * kPacket);
  model.set(5.5 * kPacket);
  EXPECT_DOUBLE_EQ(model.with_headroom(kPacket, 4 * kPacket), 4.5 * kPacket);
  model.set(3 * kPacket);
  EXPECT_DOUBLE_EQ(model.with_headroom(kPacket, 4 * kPacket), 4 * kPacket);
}

TEST(Bbr3LongTerm, GrowsByTwiceAsManyPacketsInEachRound) {
  const double cwnd = 64 * kPacket;
  LongTerm model;
  model.set(cwnd);
  model.begin_growth();
  double before = model.inflight();
  for (const double packets : {1, 2, 4, 8, 16, 32, 64}) {
    model.steepen(cwnd, kPacket);
    for (int i = 0; i < 64; ++i) model.grow(kPacket, kPacket);  // a window is acknowledged
    EXPECT_DOUBLE_EQ(model.inflight() - before, packets * kPacket);
    before = model.inflight();
  }
  model.stop_growth();
  model.grow(1e12, kPacket);
  EXPECT_EQ(model.inflight(), before);
}

// --- bandwidth and aggregation (draft §5.5.5, §5.5.9)

TEST(Bbr3MaxBandwidth, RemembersThisCycleAndTheLast) {
  MaxBandwidth max;
  max.on_ack({.rate = 100});
  max.advance();
  max.on_ack({.rate = 50});
  EXPECT_EQ(max.value(), 100);
  max.advance();
  EXPECT_EQ(max.value(), 100);  // until there is something else
  max.on_ack({.rate = 40});
  EXPECT_EQ(max.value(), 50);
}

TEST(Bbr3MaxBandwidth, BelievesTheApplicationsRateOnlyWhenItIsMore) {
  MaxBandwidth max;
  max.on_ack({.rate = 100});
  max.advance();
  max.advance();
  max.on_ack({.rate = 90, .is_app_limited = true});
  EXPECT_EQ(max.value(), 100);
  max.on_ack({.rate = 110, .is_app_limited = true});
  EXPECT_EQ(max.value(), 110);
  max.on_ack({.rate = 0});  // no sample
  EXPECT_EQ(max.value(), 110);
}

// 1 MB/s: 1,000 bytes each millisecond are expected; ten of them at once are nine too many.
TEST(Bbr3AckAggregation, IsWhatComesBeyondTheBandwidth) {
  AckAggregation aggregation;
  aggregation.on_ack(1000, 1e6, 1e9, 0, true, at(milliseconds{0}));
  EXPECT_EQ(aggregation.extra_acked(), 1000);
  aggregation.on_ack(10'000, 1e6, 1e9, 1, true, at(milliseconds{10}));
  EXPECT_EQ(aggregation.extra_acked(), 10'000);  // the interval began with this ACK
  aggregation.on_ack(10'000, 1e6, 1e9, 2, true, at(milliseconds{15}));
  EXPECT_DOUBLE_EQ(aggregation.extra_acked(), 15'000);
  for (int round = 3; round < 12; ++round) aggregation.on_ack(1, 1e6, 1e9, round, true, at(seconds{round}));
  EXPECT_DOUBLE_EQ(aggregation.extra_acked(), 15'000);
  aggregation.on_ack(1, 1e6, 1e9, 12, true, at(seconds{12}));  // ten rounds on
  EXPECT_EQ(aggregation.extra_acked(), 1);
}

TEST(Bbr3AckAggregation, IsNoMoreThanTheWindowAndInStartupOfThisRoundOnly) {
  AckAggregation aggregation;
  aggregation.on_ack(50'000, 1e6, 20'000, 0, false, at(milliseconds{0}));
  EXPECT_EQ(aggregation.extra_acked(), 20'000);
  aggregation.on_ack(1000, 1e6, 20'000, 1, false, at(seconds{1}));
  EXPECT_EQ(aggregation.extra_acked(), 1000);
}

// --- the least round trip time (draft §5.3.4.3)

TEST(Bbr3MinRtt, AsksForAProbeAfterFiveSecondsAndReplacesItsValueAfterTen) {
  MinRtt rtt;
  EXPECT_FALSE(rtt.value());
  rtt.on_ack(milliseconds{40}, at(seconds{0}));
  rtt.on_ack(milliseconds{60}, at(seconds{5}));
  EXPECT_FALSE(rtt.is_probe_due());
  rtt.on_ack(milliseconds{60}, at(milliseconds{5001}));
  EXPECT_TRUE(rtt.is_probe_due());
  EXPECT_EQ(rtt.value(), milliseconds{40});
  rtt.on_ack(milliseconds{55}, at(milliseconds{5002}));
  EXPECT_FALSE(rtt.is_probe_due());
  rtt.on_ack(milliseconds{70}, at(milliseconds{10'001}));
  EXPECT_EQ(rtt.value(), milliseconds{55});  // what the probe found
}

TEST(Bbr3MinRtt, ALowerSampleCountsAtOnceAndPutsTheProbeOff) {
  MinRtt rtt;
  rtt.on_ack(milliseconds{40}, at(seconds{0}));
  rtt.on_ack(milliseconds{39}, at(seconds{4}));
  EXPECT_EQ(rtt.value(), milliseconds{39});
  rtt.on_ack(milliseconds{60}, at(seconds{8}));
  EXPECT_FALSE(rtt.is_probe_due());
}

TEST(Bbr3ProbeRtt, LastsTwoHundredMillisecondsAndARoundFromWhenLittleIsInFlight) {
  Round round;
  ProbeRtt probe;
  probe.begin(1000);
  const double target = 5 * kPacket;
  const auto ack = [&](double in_flight, ByteCount prior, ByteCount total, TimePoint now) {
    round.on_ack(prior, total);
    probe.on_ack({.in_flight = in_flight, .prior_delivered = prior, .total_delivered = total}, target, round,
                 now);
  };
  ack(6 * kPacket, 0, 2000, at(milliseconds{0}));
  EXPECT_FALSE(probe.is_time_over(at(seconds{9})));  // too much in flight
  ack(5 * kPacket, 1000, 3000, at(milliseconds{10}));
  EXPECT_FALSE(probe.is_time_over(at(milliseconds{210})));
  EXPECT_TRUE(probe.is_time_over(at(milliseconds{211})));
  ack(5 * kPacket, 2000, 4000, at(milliseconds{20}));  // sent before
  EXPECT_FALSE(probe.has_round_passed());
  ack(5 * kPacket, 3000, 5000, at(milliseconds{50}));
  EXPECT_TRUE(probe.has_round_passed());
}

TEST(Bbr3ProbeRtt, ItselfLimitsWhatIsSentDuringIt) {
  Round round;
  ProbeRtt probe;
  EXPECT_FALSE(probe.limits(0));
  probe.begin(1000);
  probe.on_ack({.in_flight = 500, .total_delivered = 2000}, 1e9, round, at(Duration{0}));
  EXPECT_FALSE(probe.limits(999));
  EXPECT_TRUE(probe.limits(1000));
  EXPECT_TRUE(probe.limits(2500));  // what was in flight then
  EXPECT_FALSE(probe.limits(2501));
}

// --- the wait between probes (draft §5.3.3.7)

TEST(Bbr3ProbeWait, LastsTwoToThreeSeconds) {
  ProbeWait wait{1};
  for (int i = 0; i < 100; ++i) {
    wait.draw(at(seconds{10}));
    EXPECT_FALSE(wait.is_over(1e6, at(seconds{12})));
    EXPECT_TRUE(wait.is_over(1e6, at(seconds{13} + nanoseconds{1})));
  }
}

TEST(Bbr3ProbeWait, LastsNoMoreRoundsThanPacketsAreWantedInFlightAndSixtyThreeAtMost) {
  for (const auto& [target, most] : {std::pair{1e6, 63}, {20.0, 20}}) {
    ProbeWait wait{1};
    bool has_been_one_less = false;
    for (int i = 0; i < 50; ++i) {
      wait.draw(at(seconds{1}));
      int rounds = 0;
      while (!wait.is_over(target, at(seconds{1}))) {
        wait.on_round();
        ++rounds;
      }
      EXPECT_TRUE(rounds == most || rounds == most - 1) << rounds;
      has_been_one_less |= rounds == most - 1;
    }
    EXPECT_TRUE(has_been_one_less);  // it is drawn
  }
}

// --- pacing (draft §5.6.2, §5.6.3)

TEST(Bbr3Pacing, BeginsWithTheWindowOverARoundTripOrAMillisecond) {
  Pacing pacing;
  pacing.init(14'000, 2.77, Duration{0});
  EXPECT_DOUBLE_EQ(pacing.rate(), 2.77 * 14e6);
  pacing.init(14'000, 2.77, milliseconds{100});
  EXPECT_DOUBLE_EQ(pacing.rate(), 2.77 * 140e3);
}

TEST(Bbr3Pacing, StaysOnePercentBelowAndFallsOnlyOnceThePipeWasFull) {
  Pacing pacing;
  pacing.init(14'000, 1, milliseconds{100});
  pacing.set(1, 100e3, false);
  EXPECT_DOUBLE_EQ(pacing.rate(), 140e3);
  pacing.set(1.25, 200e3, false);
  EXPECT_DOUBLE_EQ(pacing.rate(), 1.25 * 200e3 * 0.99);
  pacing.set(1, 100e3, true);
  EXPECT_DOUBLE_EQ(pacing.rate(), 99e3);
  pacing.set(1, 0, true);  // no bandwidth known
  EXPECT_DOUBLE_EQ(pacing.rate(), 99e3);
}

TEST(Bbr3Pacing, SendsAMillisecondAtOnceWithinTwoPacketsAnd64Kilobytes) {
  Pacing pacing;
  pacing.init(1000, 1, milliseconds{100});
  EXPECT_EQ(pacing.quantum(kPacket), 2 * kPacket);
  pacing.set(1, 10e6 / 0.99, false);
  EXPECT_DOUBLE_EQ(pacing.quantum(kPacket), 10e3);
  pacing.set(1, 1e9, false);
  EXPECT_EQ(pacing.quantum(kPacket), 65'536);
}

}  // namespace
}  // namespace quell::cc::bbr3
