#include "quell/lab/shrink.h"

#include <gtest/gtest.h>

#include "quell/base/rng.h"
#include "quell/lab/script_gen.h"

namespace quell::lab {
namespace {

path::LossPhase loss(double probability, Duration lasts) {
  path::LossPhase phase;
  phase.probability = probability;
  phase.lasts = lasts;
  return phase;
}

bool loses_everything_for_a_second(const Variant& v) {
  for (const auto& phase : v.path.down.losses)
    if (phase.probability == 1 && phase.lasts >= seconds{1}) return true;
  return false;
}

TEST(Shrink, LeavesWhatTheFailureNeedsAndNothingElse) {
  Rng rng{3};
  Variant script = random_script(rng);
  script.path.down.losses = {loss(0.37, milliseconds{730}), loss(1, milliseconds{2340}),
                             loss(0.05, seconds{1})};
  script.path.up.losses = {loss(0.2, seconds{1})};
  script.path.up.thin.keep_one_in = 3;
  script.server_host = {.clock = sim::ClockReading::per_event,
                        .timer_granularity = milliseconds{4},
                        .wake_latency = milliseconds{1},
                        .turn_cost = {},
                        .datagram_cost = {}};
  script.load.pause_for = seconds{2};
  const Shrunk shrunk = shrink(script, loses_everything_for_a_second, 1000);

  ASSERT_EQ(shrunk.script.path.down.losses.size(), 1U);
  EXPECT_EQ(shrunk.script.path.down.losses[0], loss(1, seconds{1}));
  EXPECT_TRUE(shrunk.script.path.up.losses.empty());
  EXPECT_TRUE(shrunk.script.path.down.drops.empty());
  EXPECT_EQ(shrunk.script.path.up.thin, path::ThinScript{});
  EXPECT_EQ(shrunk.script.server_host, sim::HostConfig{});
  EXPECT_EQ(shrunk.script.client_host, sim::HostConfig{});
  EXPECT_EQ(shrunk.script.load.pause_for, Duration{0});
}

TEST(Shrink, AsksNoMoreOftenThanItMay) {
  Rng rng{3};
  std::size_t asked = 0;
  const auto always = [&](const Variant&) { return ++asked > 0; };
  const Shrunk shrunk = shrink(random_script(rng), always, 5);
  EXPECT_EQ(asked, 5U);
  EXPECT_EQ(shrunk.tried, 5U);
}

TEST(Shrink, EndsWhereEverythingFails) {
  Rng rng{4};
  const Shrunk shrunk = shrink(random_script(rng), [](const Variant&) { return true; }, 100'000);
  EXPECT_LT(shrunk.tried, 1'000U);
}

TEST(Shrink, ReturnsAScriptThatFails) {
  for (std::uint64_t seed = 1; seed < 50; ++seed) {
    Rng rng{seed};
    const auto fails = [](const Variant& v) {
      return !v.path.down.losses.empty() && v.rtt > milliseconds{7};
    };
    Variant script = random_script(rng);
    if (!fails(script)) continue;
    EXPECT_TRUE(fails(shrink(script, fails, 1000).script)) << seed;
  }
}

}  // namespace
}  // namespace quell::lab
