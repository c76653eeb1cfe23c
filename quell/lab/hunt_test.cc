#include "quell/lab/hunt.h"

#include <gtest/gtest.h>

#include "quell/lab/laws.h"
#include "quell/lab/scenario_toml.h"
#include "quell/lab/scenario_writer.h"

namespace quell::lab {
namespace {

HuntRequest request_for(const std::string& controller) {
  HuntRequest request;
  request.controller = controller;
  request.law = kLivenessLaw;
  request.events = 300'000;
  return request;
}

RunResult run(const std::string& controller, const Scenario& scenario) {
  RunRequest request;
  request.scenario = &scenario;
  request.controller = controller;
  request.seed = 1;
  return run_once(request);
}

// What is found must be the same once it was written, read, and run to its deadline.
void expect_replay(const Find& find, const std::string& controller) {
  const Scenario back = parse_scenario(write_scenario(find.scenario), "find.toml").value();
  EXPECT_EQ(back, find.scenario);
  EXPECT_EQ(breach_of(run(controller, back), find.law), find.breach);
}

TEST(Hunt, FindsTheDeathSpiralFromNothing) {
  const HuntOutcome outcome = hunt(request_for("cubic-quiche-2020"));
  ASSERT_TRUE(outcome.find.has_value());
  EXPECT_EQ(outcome.find->law, kLivenessLaw);
  expect_replay(*outcome.find, "cubic-quiche-2020");
  // Nothing of the trouble that is left could be left out as well.
  for (std::size_t i = 0; i < outcome.find->scenario.variants[0].path.down.losses.size(); ++i) {
    Scenario less = outcome.find->scenario;
    auto& losses = less.variants[0].path.down.losses;
    losses.erase(losses.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_EQ(breach_of(run("cubic-quiche-2020", less), kLivenessLaw), "") << i;
  }
}

TEST(Hunt, DoesNotDependOnTheNumberOfThreads) {
  HuntRequest one = request_for("cubic");
  one.events = 50'000;
  HuntRequest three = one;
  three.jobs = 3;
  const HuntOutcome a = hunt(one);
  const HuntOutcome b = hunt(three);
  EXPECT_EQ(a.runs, b.runs);
  EXPECT_EQ(a.events, b.events);
  EXPECT_EQ(a.hardest, b.hardest);
  EXPECT_EQ(a.script, b.script);
}

TEST(Hunt, EndsWhenItsTimeIsUp) {
  HuntRequest request = request_for("reno");
  int asked = 0;
  request.is_time_up = [&] { return ++asked > 2; };
  EXPECT_EQ(hunt(request).runs, 64U);  // two generations
}

TEST(Hunt, LooksForOneLawWhenAskedTo) {
  RunResult run;
  run.broken_laws = {"floor at 1.0 s (server): cwnd 1452", "liveness at 2.0 s: 4 %"};
  EXPECT_EQ(breach_of(run, ""), run.broken_laws[0]);
  EXPECT_EQ(breach_of(run, "liveness"), run.broken_laws[1]);
  EXPECT_EQ(breach_of(run, "heard again"), "");
}

TEST(Hunt, ARunIsHardByTheShareOfItsTimeThatItNeeded) {
  Variant script;
  script.rtt = milliseconds{10};
  RunResult run;
  run.liveness.first_ack_at = TimePoint{seconds{1}};
  run.liveness.due_at = TimePoint{seconds{5}};
  run.liveness.reached_at = TimePoint{seconds{2}};
  EXPECT_DOUBLE_EQ(hardness(run, script), 0.25);
  run.measures.set("longest_floor_s", 0.2);  // 20 of 40 round trips
  EXPECT_DOUBLE_EQ(hardness(run, script), 0.25 + 0.15);
  run.liveness.not_judged = "trouble never ends";
  EXPECT_EQ(hardness(run, script), 0);
}

}  // namespace
}  // namespace quell::lab
