#include "quell/lab/expectations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace quell::lab {
namespace {

using ::testing::HasSubstr;

Scenario scenario_with(Expectation expectation) {
  Scenario scenario;
  scenario.name = "test";
  scenario.variants.emplace_back();
  expectation.measure = "completion_s";
  expectation.why = "because";
  scenario.expectations.push_back(expectation);
  return scenario;
}

// One seed per time, judged.
std::vector<SeedResult> seeds_with(const Scenario& scenario, const std::string& controller,
                                   const std::vector<double>& times) {
  std::vector<SeedResult> results;
  for (const double time : times) {
    SeedResult& result = results.emplace_back();
    result.seed = results.size();
    result.runs.emplace_back().measures.set("completion_s", time);
    judge_seed(scenario, controller, result);
  }
  return results;
}

ControllerVerdict verdict_on(const Scenario& scenario, const std::string& controller,
                             const std::vector<double>& times) {
  return judge_controller(scenario, controller, seeds_with(scenario, controller, times));
}

TEST(Expectation, EverySeedMustMeetABoundOnEach) {
  const Scenario scenario = scenario_with({.at_most = 2});
  EXPECT_TRUE(verdict_on(scenario, "cubic", {1, 2}).is_met);
  const ControllerVerdict verdict = verdict_on(scenario, "cubic", {1, 3, 4});
  EXPECT_FALSE(verdict.is_met);
  EXPECT_EQ(verdict.passed, 1U);
  EXPECT_EQ(verdict.replay, 2U);
  EXPECT_THAT(verdict.reasons.at(0), HasSubstr("missed by 2 of 3 seeds; seed 2 has 3 s; why: because"));
}

TEST(Expectation, AShareOfTheSeedsIsEnoughWhereTheScenarioSaysSo) {
  const Scenario scenario = scenario_with({.at_most = 2, .share = 0.5});
  const ControllerVerdict half = verdict_on(scenario, "cubic", {1, 3});
  EXPECT_TRUE(half.is_met);
  EXPECT_EQ(half.passed, 1U);
  EXPECT_FALSE(verdict_on(scenario, "cubic", {1, 3, 3}).is_met);
}

TEST(Expectation, AMedianIsJudgedOverTheSeeds) {
  const Scenario scenario = scenario_with({.statistic = Statistic::median, .at_most = 2});
  EXPECT_TRUE(verdict_on(scenario, "cubic", {1, 2, 9}).is_met);
  EXPECT_FALSE(verdict_on(scenario, "cubic", {1, 3, 9}).is_met);
}

TEST(Expectation, OtherControllersAreNotAsked) {
  Expectation expectation{.at_most = 2};
  expectation.controllers = {"reno"};
  EXPECT_TRUE(verdict_on(scenario_with(expectation), "cubic", {9}).is_met);
  EXPECT_FALSE(verdict_on(scenario_with(expectation), "reno", {9}).is_met);
}

TEST(ExpectedFailure, ASpecimenMustFailAsOftenAsTheScenarioSays) {
  Scenario scenario = scenario_with({.at_most = 2});
  scenario.expected_failures.push_back({.controller = "cubic-quiche-2020", .at_least = 0.5, .why = "faulty"});
  const ControllerVerdict caught = verdict_on(scenario, "cubic-quiche-2020", {1, 9, 9, 9});
  EXPECT_TRUE(caught.is_met);
  EXPECT_TRUE(caught.is_expected_to_fail);
  EXPECT_EQ(caught.passed, 1U);
  const ControllerVerdict escaped = verdict_on(scenario, "cubic-quiche-2020", {1, 1, 1, 9});
  EXPECT_FALSE(escaped.is_met);
  EXPECT_EQ(escaped.replay, 1U);
}

TEST(ExpectedFailure, ABoundThatNamesASpecimenSaysHowItFails) {
  Expectation slow{.statistic = Statistic::median, .at_least = 5};
  slow.controllers = {"cubic-quiche-2020"};
  Scenario scenario = scenario_with(slow);
  scenario.expected_failures.push_back({.controller = "cubic-quiche-2020", .at_least = 0, .why = "faulty"});
  EXPECT_TRUE(verdict_on(scenario, "cubic-quiche-2020", {9}).is_met);
  EXPECT_FALSE(verdict_on(scenario, "cubic-quiche-2020", {1}).is_met);
}

TEST(Law, ABrokenLawFailsTheSeedAndTheController) {
  const Scenario scenario = scenario_with({.at_most = 2});
  SeedResult result;
  result.seed = 4;
  result.runs.emplace_back().broken_laws = {"floor at 1 s"};
  judge_seed(scenario, "cubic", result);
  EXPECT_FALSE(result.passed());
  const ControllerVerdict verdict = judge_controller(scenario, "cubic", {&result, 1});
  EXPECT_THAT(verdict.reasons.at(0), HasSubstr("law broken: floor"));
  EXPECT_EQ(verdict.replay, 4U);
}

TEST(Quantile, IsByNearestRank) {
  EXPECT_EQ(quantile({3, 1, 2}, 0.5), 2);
  EXPECT_EQ(quantile({4, 3, 1, 2}, 0.5), 2);
  EXPECT_EQ(quantile({1, 2, 3, 4, 5, 6, 7, 8, 9, 10}, 0.9), 9);
  EXPECT_EQ(quantile({5}, 0.9), 5);
}

TEST(Law, ABrokenOneIsToldOncePerLawAndFailsTheSeed) {
  const Scenario scenario = scenario_with({.at_most = 2});
  std::vector<SeedResult> results = seeds_with(scenario, "cubic", {1, 1});
  for (SeedResult& result : results) {
    result.runs.front().broken_laws = {"floor at 1.000000 s (server): cwnd 0",
                                       "every cut has a cause at 1.000000 s (server): cwnd 9 to 0"};
    judge_seed(scenario, "cubic", result);
  }
  const ControllerVerdict verdict = judge_controller(scenario, "cubic", results);
  EXPECT_EQ(verdict.missed, (std::vector<std::string>{"floor", "every cut has a cause"}));
  EXPECT_EQ(verdict.passed, 0U);
}

TEST(Law, ASpecimenThatIsExpectedToFailMayBreakThoseOfControllersButNotTheTransports) {
  Scenario scenario = scenario_with({.at_most = 2});
  scenario.expected_failures.push_back({.controller = "cubic-quiche-2020", .at_least = 0});
  std::vector<SeedResult> results = seeds_with(scenario, "cubic-quiche-2020", {1});
  results.front().runs.front().broken_laws = {"every cut has a cause at 1.000000 s (server): cwnd 9 to 0"};
  EXPECT_TRUE(judge_controller(scenario, "cubic-quiche-2020", results).is_met);
  results.front().runs.front().broken_laws.push_back("bytes_in_flight at 1.000000 s (server): 1 claimed");
  EXPECT_EQ(judge_controller(scenario, "cubic-quiche-2020", results).missed,
            (std::vector<std::string>{"bytes_in_flight"}));
}

}  // namespace
}  // namespace quell::lab
