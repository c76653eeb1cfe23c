// Is a specimen taken for caught only where it is? Small scenarios, real runs.
#include "quell/lab/specimens.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quell/lab/scenario_toml.h"

namespace quell::lab {
namespace {

using ::testing::HasSubstr;

// Eight cuts bring a window to its floor.
Scenario scenario_with(const std::string& expectations) {
  return parse_scenario(R"(name = "small"
title = "Small"
controllers = ["reno"]
[path]
rtt = "10 ms"
rate = "1 Gbit/s"
queue = "1 MB"
[[path.drop]]
way = "down"
opens = "first-server-1rtt"
least_size = "1 kB"
times = 8
every = "15 ms"
[load]
kind = "stream"
bytes = "300 kB"
)" + expectations,
                        "small.toml")
      .value();
}

SpecimenResult trial_in(const std::string& expectations) {
  SpecimensRequest request;
  request.cases = {{.name = "reno-floor-4", .when = "today"}};
  request.scenarios = {scenario_with(expectations)};
  return try_specimens(request).at(0);
}

const std::string kBound = "[[expect]]\nmeasure = \"cwnd_least\"\nat_most = 2\nwhy = \"w\"\n";
const std::string kPromise = "[[expect_failure]]\ncontroller = \"reno-floor-4\"\nwhy = \"w\"\n";

TEST(Specimens, OneIsCaughtThatFailsWhereItsSoundTwinPasses) {
  const SpecimenResult result = trial_in(kBound + kPromise + "by = [\"cwnd_least\"]\n");
  EXPECT_TRUE(result.is_caught());
  ASSERT_EQ(result.trials.size(), 1U);
  EXPECT_EQ(result.trials[0].missed, (std::vector<std::string>{"cwnd_least"}));
  EXPECT_EQ(result.trials[0].failed, 1U);
  EXPECT_THAT(result.trials[0].reason, HasSubstr("cwnd_least"));
}

TEST(Specimens, WhatIsAskedOfTheTwinByNameIsAskedOfTheSpecimen) {
  EXPECT_TRUE(trial_in(kBound + "controllers = [\"reno\"]\n" + kPromise).is_caught());
  EXPECT_FALSE(trial_in(kBound + "controllers = [\"cubic\"]\n" + kPromise).is_caught());
}

TEST(Specimens, AFailureForAnotherReasonIsNoCatch) {
  const SpecimenResult result = trial_in(kBound + kPromise + "by = [\"completion_s\"]\n");
  EXPECT_FALSE(result.is_caught());
  EXPECT_EQ(result.trials[0].objection, "it fails, but not by completion_s");
}

TEST(Specimens, AScenarioThatTheSoundTwinFailsProvesNothing) {
  const SpecimenResult result =
      trial_in(kBound + "[[expect]]\nmeasure = \"completion_s\"\nat_most = 0.001\nwhy = \"w\"\n" + kPromise);
  EXPECT_FALSE(result.is_caught());
  EXPECT_THAT(result.trials[0].objection, HasSubstr("the sound one fails here, too"));
}

TEST(Specimens, OneThatNobodyHasPromisedToCatchHasEscaped) {
  EXPECT_FALSE(trial_in(kBound).is_caught());
  EXPECT_THAT(specimens_table({trial_in(kBound)}), HasSubstr("ESCAPED"));
}

TEST(Specimens, ResultsSurviveTheirJson) {
  const std::vector<SpecimenResult> results{trial_in(kBound + kPromise), trial_in(kBound)};
  EXPECT_EQ(read_specimens_json(specimens_json(results)).value(), results);
  EXPECT_FALSE(read_specimens_json("{}"));
}

TEST(Specimens, AFaultOfRecoveryIsInForceWhileItIsTriedAndNotBefore) {
  std::vector<std::string> told;
  SpecimensRequest request;
  request.cases = {{.name = "some-fault", .when = "today", .is_fault_of_recovery = true}};
  request.scenarios = {scenario_with(kBound + "[[expect_failure]]\nfault = \"some-fault\"\nwhy = \"w\"\n")};
  request.put_in_force = [&](const std::string& fault) { told.push_back(fault); };
  const auto results = try_specimens(request);
  EXPECT_EQ(told, (std::vector<std::string>{"some-fault", ""}));
  EXPECT_EQ(results.at(0).trials.at(0).objection, "it passes");  // this program's recovery is sound
}

}  // namespace
}  // namespace quell::lab
