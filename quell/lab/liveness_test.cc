#include "quell/lab/liveness.h"

#include <gtest/gtest.h>

#include <cmath>

#include "quell/lab/run.h"

namespace quell::lab {
namespace {

// 20 Mbit/s, 20 ms, 2 s of 30 % loss both ways.
Scenario spiral() {
  Scenario s;
  s.name = "spiral";
  Variant& v = s.variants.emplace_back();
  v.rtt = milliseconds{20};
  for (path::DirectionConfig* way : {&v.path.up, &v.path.down}) {
    way->link.delay = milliseconds{10};
    way->link.rate = Rate::bits_per_second(20e6);
    way->link.queue_bytes = 200'000;
    way->losses = {{.from = {.opening = path::Opening::first_one_rtt_down, .after = {}},
                    .lasts = seconds{2},
                    .probability = 0.3,
                    .bursts = {},
                    .label = {}}};
  }
  v.client_host.wake_latency = v.server_host.wake_latency = microseconds{100};
  v.load.kind = LoadKind::stream;
  v.load.bytes = 1'000'000'000;
  v.deadline = seconds{10};
  return s;
}

RunResult run(const Scenario& scenario, const std::string& controller, std::uint64_t seed) {
  return run_once({.scenario = &scenario,
                   .variant = 0,
                   .controller = controller,
                   .seed = seed,
                   .want_series = false,
                   .want_windows = false,
                   .stop_at_law = "",
                   .qlog_dir = {}});
}

TEST(Liveness, RenoHasARoundTripPerPacket) {
  const auto t = derive_liveness(spiral().variants[0], GrowthLaw::reno).value();
  // 20 ms, twice 100 µs of waking, and two packets of 1,452 bytes at 20 Mbit/s, 0.58 ms each.
  EXPECT_NEAR(to_milliseconds(t.round), 20 + 0.2 + 2 * 0.5808, 0.01);
  EXPECT_NEAR(to_milliseconds(t.slow_round - t.round), 25, 0.01);  // max_ack_delay
  // 0.8 × 36.8 packets per round, and four that wait.
  EXPECT_NEAR(t.window_packets, 33.4, 0.1);
  // Two packets from the floor at 46 ms, then 29.4 at 4/3 of a round.
  EXPECT_NEAR(to_seconds(t.climb), 2 * 0.0464 + 29.4 * 0.02136 * 4 / 3, 0.01);
}

TEST(Liveness, CubicHasTheSoonerOfItsLineAndItsCurve) {
  Variant v = spiral().variants[0];
  const auto near = derive_liveness(v, GrowthLaw::cubic).value();
  EXPECT_NEAR(to_seconds(near.climb), (2 * 0.0464 + 29.4 * 0.02136 * 4 / 3) / 0.529, 0.01);
  // 500 packets per round of 600 ms: the line needs 20 minutes, the curve 2 ∛(400 / 0.8) = 16 s.
  v.path.up.link.delay = v.path.down.link.delay = milliseconds{300};
  v.path.down.link.rate = Rate::bits_per_second(9.7e6);
  const auto far = derive_liveness(v, GrowthLaw::cubic).value();
  EXPECT_GT(far.climb, seconds{16});
  EXPECT_LT(far.climb, seconds{16} + 15 * far.slow_round);  // log 200 / log 1.5 = 13 rounds of following it
}

TEST(Liveness, NoPlateauMakesTheCurveSlowerThanItsBound) {
  constexpr double kC = 0.4;
  const double from = 2;
  for (const double rise : {1.0, 30.0, 1000.0}) {
    double longest = 0;
    for (double w_max = 0; w_max < 20 * rise + 10; w_max += rise / 50) {
      const double origin = std::max(w_max, from);
      const double k = std::cbrt((origin - from) / kC);
      longest = std::max(longest, k + std::cbrt((from + rise - origin) / kC));
    }
    EXPECT_LE(longest, to_seconds(longest_cubic_rise(rise)) + 1e-6);
    EXPECT_GE(longest, to_seconds(longest_cubic_rise(rise)) * 0.99);  // and it is no looser than it must be
  }
}

TEST(Liveness, PromisesNothingWhereTroubleNeverEndsOrBurstsDoNotFit) {
  Variant v = spiral().variants[0];
  v.path.down.losses[0].lasts.reset();
  EXPECT_EQ(derive_liveness(v, GrowthLaw::reno).error(), "trouble never ends");
  v = spiral().variants[0];
  v.path.down.link.queue_bytes = 10'000;
  EXPECT_EQ(derive_liveness(v, GrowthLaw::reno).error(), "the queue is shorter than two bursts");
  v.path.down.link.rate = Rate::unlimited();
  EXPECT_EQ(derive_liveness(v, GrowthLaw::reno).error(), "the path has no rate");
  EXPECT_FALSE(derive_liveness(spiral().variants[0], std::nullopt));
}

TEST(Liveness, IsReachedByWhoeverIsSound) {
  for (const char* controller : {"cubic", "reno"}) {
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const RunResult result = run(spiral(), controller, seed);
      EXPECT_TRUE(result.broken_laws.empty()) << result.broken_laws.front();
      EXPECT_TRUE(result.liveness.reached_at.has_value()) << controller << seed;
      EXPECT_LE(result.liveness.reached_at, result.liveness.due_at);
    }
  }
}

TEST(Liveness, IsBrokenByTheDeathSpiral) {
  const RunResult result = run(spiral(), "cubic-quiche-2020", 2);
  ASSERT_EQ(result.broken_laws.size(), 1U);
  EXPECT_TRUE(result.broken_laws[0].starts_with("liveness at ")) << result.broken_laws[0];
  EXPECT_LT(result.liveness.best_share, 0.1);  // 2 packets of 36.8
  EXPECT_FALSE(result.liveness.reached_at.has_value());
}

TEST(Liveness, SaysThatItDoesNotJudge) {
  Scenario s = spiral();
  s.variants[0].path.down.losses[0].lasts.reset();
  const RunResult result = run(s, "cubic", 1);
  EXPECT_EQ(result.liveness.not_judged, "trouble never ends");
  EXPECT_TRUE(result.broken_laws.empty());
}

}  // namespace
}  // namespace quell::lab
