// Does BBRv3 keep the contract of a controller, whatever it hears?
#include "quell/cc/bbr3.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <vector>

#include "quell/cc/bbr3_machine.h"
#include "quell/cc/bottleneck_for_test.h"

namespace quell::cc {
namespace {

using bbr3::Machine;
using bbr3::Phase;
using bbr3::SoundParts;
using test::Bottleneck;
using test::Path;

constexpr ByteCount kPacket = Bottleneck::kPacket;

struct Bbr3 : ::testing::Test {
  Machine<SoundParts> bbr{Config{.max_datagram_size = kPacket, .seed = 3}};
  Bottleneck net{bbr, Path{.buffer = 1e9}};
  bool reach(Phase phase) {
    return net.run_until([&] { return bbr.phase() == phase; }, seconds{30});
  }
};

TEST_F(Bbr3, BeginsWithTheInitialWindowOverAMillisecond) {
  EXPECT_EQ(bbr.cwnd(), 10 * kPacket);
  EXPECT_DOUBLE_EQ(bbr.pacing_rate()->bytes_per_second(), 2.77 * 10e6);
  EXPECT_EQ(bbr.state(), State::slow_start);
}

TEST_F(Bbr3, PersistentCongestionLeavesFourPacketsAndTheModel) {
  ASSERT_TRUE(reach(Phase::cruise));
  const double bandwidth = bbr.max_bandwidth();
  bbr.on_congestion({.cause = CongestionCause::persistent, .episode = 99}, net.now());
  EXPECT_EQ(bbr.cwnd(), 4 * kPacket);
  EXPECT_EQ(bbr.max_bandwidth(), bandwidth);
  // The window comes back by what is acknowledged: it doubles in each of 4 round trips.
  net.run_for(6 * net.path.rtt);
  EXPECT_GT(bbr.cwnd(), 50 * kPacket);
}

// Draft §3.7: a mark is congestion.
TEST_F(Bbr3, AMarkEndsStartup) {
  net.run_for(3 * net.path.rtt);
  bbr.on_congestion({.cause = CongestionCause::ecn_ce, .in_flight = net.in_flight(), .episode = 1},
                    net.now());
  EXPECT_EQ(bbr.phase(), Phase::drain);
  EXPECT_TRUE(bbr.long_term().is_set());
}

TEST_F(Bbr3, AMarkInCruiseLowersTheShortTermModel) {
  ASSERT_TRUE(reach(Phase::cruise));
  bbr.on_congestion({.cause = CongestionCause::ecn_ce, .in_flight = net.in_flight(), .episode = 1},
                    net.now());
  net.run_for(2 * net.path.rtt);
  EXPECT_NE(bbr.short_term().inflight, bbr3::kUnbounded);
}

TEST_F(Bbr3, AMarkInUpEndsTheProbe) {
  ASSERT_TRUE(reach(Phase::up));
  bbr.on_congestion({.cause = CongestionCause::ecn_ce, .in_flight = net.in_flight(), .episode = 1},
                    net.now());
  EXPECT_EQ(bbr.phase(), Phase::down);
  EXPECT_TRUE(bbr.long_term().is_set());
}

TEST_F(Bbr3, ALargerPacketRaisesTheUntouchedWindow) {
  bbr.on_mtu(kPacket, 1400, {});
  EXPECT_EQ(bbr.cwnd(), 14'000U);
}

TEST_F(Bbr3, AnotherPathBeginsAtStartup) {
  ASSERT_TRUE(reach(Phase::cruise));
  bbr.on_path_reset(net.now());
  EXPECT_EQ(bbr.phase(), Phase::startup);
  EXPECT_EQ(bbr.cwnd(), 10 * kPacket);
  EXPECT_EQ(bbr.max_bandwidth(), 0);
  EXPECT_TRUE(reach(Phase::cruise));
}

TEST_F(Bbr3, ASpuriousEpisodeThatIsNotTheLastChangesNothing) {
  net.path.loss = 0.05;
  net.run_until([&] { return bbr.long_term().is_set(); }, seconds{30});
  const double before = bbr.long_term().inflight();
  bbr.on_spurious(1'000'000, net.now());
  EXPECT_EQ(bbr.long_term().inflight(), before);
}

// When the second probe begins, on a path that is the same each time.
TimePoint second_probe(std::uint64_t seed) {
  Machine<SoundParts> bbr{Config{.max_datagram_size = kPacket, .seed = seed}};
  Bottleneck net{bbr, Path{.rate = Rate::bits_per_second(50e6), .rtt = milliseconds{100}, .buffer = 1e9}};
  for (const Phase phase : {Phase::up, Phase::down, Phase::up}) {
    net.run_until([&] { return bbr.phase() == phase; }, seconds{30});
  }
  return net.now();
}

TEST(Bbr3Seed, DecidesWhenBandwidthIsProbed) {
  EXPECT_EQ(second_probe(1), second_probe(1));
  EXPECT_NE(second_probe(1), second_probe(2));
}

// --- laws

void check_laws(const Controller& controller) {
  RC_ASSERT(controller.cwnd() >= 4 * kPacket);
  RC_ASSERT(controller.cwnd() <= kMostWindow);
  const double rate = controller.pacing_rate()->bytes_per_second();
  RC_ASSERT(std::isfinite(rate));
  RC_ASSERT(rate > 0);
  RC_ASSERT(*controller.send_quantum() >= 2 * kPacket);
  RC_ASSERT(*controller.send_quantum() <= 65'536U);
}

// Any events, also those that no transport would tell in this order.
RC_GTEST_PROP(Bbr3Laws, HoldWhateverItHears, (std::uint64_t seed)) {
  Rng rng{seed};
  auto controller = make_bbr3({.max_datagram_size = kPacket, .seed = seed});
  TimePoint now{};
  PacketNumber number = 0;
  ByteCount delivered = 0;
  ByteCount lost = 0;
  for (int i = 0; i < 300; ++i) {
    now += Duration{static_cast<Duration::rep>(rng.below(1ULL << rng.below(36)))};
    const ByteCount bytes = rng.below(ByteCount{1} << rng.below(45));
    switch (rng.below(8)) {
      case 0:
        controller->on_sent({number++, kPacket, rng.chance(0.3) ? 0 : bytes, rng.chance(0.5)}, now);
        break;
      case 1: {
        const LostPacket packet{number, kPacket, now, bytes, lost, delivered, rng.chance(0.5)};
        lost += kPacket;
        controller->on_packets_lost({kPacket, bytes, lost, delivered, {&packet, 1}}, now);
        break;
      }
      case 2:
        controller->on_congestion({.cause = static_cast<CongestionCause>(rng.below(3)),
                                   .in_flight = bytes,
                                   .episode = rng.below(4)},
                                  now);
        break;
      case 3:
        controller->on_spurious(rng.below(4), now);
        break;
      case 4:
        controller->on_recovery_exit({}, now);
        break;
      default: {
        const AckedPacket packet{number, kPacket,
                                 now - Duration{static_cast<Duration::rep>(rng.below(1000))}};
        delivered += bytes;
        const auto interval = Duration{static_cast<Duration::rep>(rng.below(2) * (1 + rng.below(1 << 30)))};
        controller->on_ack({.acked_bytes = bytes,
                            .in_flight_after = rng.below(1 << 30),
                            .rtt = {.smoothed = interval},
                            .total_delivered = delivered,
                            .delivery = {.delivered = bytes,
                                         .prior_delivered = rng.below(delivered + 1),
                                         .interval = interval,
                                         .rate = interval > Duration{0} ? Rate::of(bytes, interval) : Rate{},
                                         .in_flight_at_send = bytes,
                                         .lost_since_send = rng.below(lost + 1),
                                         .is_app_limited = rng.chance(0.5)},
                            .packets = {&packet, rng.below(2)}},
                           now);
      }
    }
    check_laws(*controller);
  }
}

// Whatever the path did before: once it is clean, nine tenths of it are used, after two probes (3 s each) and
// what ProbeRTT and the doubling of the rate take.
RC_GTEST_PROP(Bbr3Laws, NeverStuck, (std::uint64_t seed)) {
  Rng rng{seed};
  Machine<SoundParts> bbr{Config{.max_datagram_size = kPacket, .seed = seed}};
  Bottleneck net{bbr, Path{}};
  for (int i = 0; i < 8; ++i) {
    net.set_rate(Rate::bits_per_second(1e6 * static_cast<double>(1 + rng.below(8))));
    net.path.loss = rng.chance(0.5) ? rng.real() : 0;
    net.path.buffer = static_cast<double>(2000 + rng.below(100'000));
    net.path.ack_slot = milliseconds{rng.chance(0.3) ? rng.below(50) : 0};
    net.application = rng.chance(0.3) ? Rate::bits_per_second(1e6 * rng.real()) : Rate::unlimited();
    net.late_packets = static_cast<int>(rng.below(10));
    net.late_by = milliseconds{rng.below(100)};
    net.run_for(milliseconds{rng.below(5000)});
    check_laws(bbr);
  }
  net.path = Path{.rate = net.path.rate, .buffer = 50'000};
  net.application = Rate::unlimited();
  net.late_packets = 0;
  net.run_for(seconds{15});
  RC_ASSERT(net.goodput_for(seconds{10}) > 0.9 * net.path.rate.bits_per_second());
}

}  // namespace
}  // namespace quell::cc
