#include "quell/lab/versus.h"

#include <gtest/gtest.h>

namespace quell::lab {
namespace {

SeedResult seed_with(double losses) {
  SeedResult seed;
  seed.runs.emplace_back().measures.set("losses", losses);
  return seed;
}

ControllerResult results_of(const char* name, std::initializer_list<double> losses) {
  ControllerResult result;
  result.verdict.controller = name;
  for (const double n : losses) result.seeds.push_back(seed_with(n));
  return result;
}

Scenario half_of_renos_losses(double share) {
  Scenario scenario;
  scenario.variants.emplace_back();
  scenario.rivalries = {{.against = "reno",
                         .measure = "losses",
                         .at_least_ratio = {},
                         .at_most_ratio = 0.5,
                         .share = share,
                         .controllers = {"cubic"},
                         .variants = {},
                         .why = "because"}};
  return scenario;
}

TEST(Versus, EachSeedIsHeldAgainstTheSameSeedOfTheOther) {
  const Scenario scenario = half_of_renos_losses(1);
  std::vector<ControllerResult> results{results_of("cubic", {5, 6}), results_of("reno", {10, 10})};
  judge_seeds_against(scenario, results, {"cubic", "reno"});
  EXPECT_TRUE(results[0].seeds[0].passed());
  EXPECT_FALSE(results[0].seeds[1].passed());
  EXPECT_TRUE(results[1].seeds[0].passed()) << "the other is not held against itself";
  judge_against(scenario, results[0]);
  EXPECT_FALSE(results[0].verdict.is_met);
}

TEST(Versus, AShareOfTheSeedsMayBeEnough) {
  const Scenario scenario = half_of_renos_losses(0.5);
  std::vector<ControllerResult> results{results_of("cubic", {5, 6}), results_of("reno", {10, 10})};
  judge_seeds_against(scenario, results, {"cubic", "reno"});
  judge_against(scenario, results[0]);
  EXPECT_TRUE(results[0].verdict.is_met);
}

TEST(Versus, WithoutTheOtherNothingIsAsked) {
  const Scenario scenario = half_of_renos_losses(1);
  std::vector<ControllerResult> results{results_of("cubic", {500})};
  judge_seeds_against(scenario, results, {"cubic"});
  EXPECT_TRUE(results[0].seeds[0].passed());
}

}  // namespace
}  // namespace quell::lab
