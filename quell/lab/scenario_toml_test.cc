#include "quell/lab/scenario_toml.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "quell/lab/catalogue.h"

namespace quell::lab {
namespace {

using ::testing::HasSubstr;
using ::testing::StartsWith;

const std::string kSmall = R"(name = "small"
title = "Small"
controllers = ["cubic", "reno"]
seeds = 3
[path]
rtt = "10 ms"
rate = "10 Mbit/s"
queue = "50 kB"
[[path.loss]]
way = "down"
opens = "first-client-1rtt"
after = "1 s"
lasts = "2 s"
probability = 0.3
[load]
kind = "stream"
bytes = "1 MB"
)";

std::string error_of(const std::string& text) {
  const auto scenario = parse_scenario(text, "x.toml");
  return scenario ? "no error" : scenario.error();
}

TEST(ScenarioToml, ReadsAPathWithPhases) {
  const Scenario scenario = parse_scenario(kSmall, "x.toml").value();
  EXPECT_EQ(scenario.name, "small");
  EXPECT_EQ(scenario.seeds, 3U);
  ASSERT_EQ(scenario.variants.size(), 1U);
  const Variant& v = scenario.variants[0];
  EXPECT_EQ(v.path.up.link.delay, milliseconds{5});
  EXPECT_EQ(v.path.down.link.rate, Rate::bits_per_second(10e6));
  EXPECT_EQ(v.path.down.link.queue_bytes, 50'000U);
  EXPECT_TRUE(v.path.up.losses.empty());
  ASSERT_EQ(v.path.down.losses.size(), 1U);
  EXPECT_EQ(v.path.down.losses[0].from.opening, path::Opening::first_one_rtt_up);
  EXPECT_EQ(v.path.down.losses[0].from.after, seconds{1});
  EXPECT_EQ(v.path.down.losses[0].lasts, seconds{2});
  EXPECT_EQ(v.load.bytes, 1'000'000U);
}

TEST(ScenarioToml, LaysVariantsOverTheFile) {
  const Scenario scenario = parse_scenario(kSmall + R"(
[[variant]]
name = "as-is"
[[variant]]
name = "slow"
path.rtt = "100 ms"
load = { bytes = "2 MB" }
)",
                                           "x.toml")
                                .value();
  ASSERT_EQ(scenario.variants.size(), 2U);
  EXPECT_EQ(scenario.variants[0].rtt, milliseconds{10});
  EXPECT_EQ(scenario.variants[1].rtt, milliseconds{100});
  EXPECT_EQ(scenario.variants[1].load.bytes, 2'000'000U);
  EXPECT_EQ(scenario.variants[1].path.down.losses.size(), 1U);
}

TEST(ScenarioToml, SaysWhereAnUnknownKeyIs) {
  EXPECT_THAT(error_of(kSmall + "colour = \"red\"\n"),
              StartsWith("x.toml:18:1: unknown key \"colour\" in [load]"));
}

TEST(ScenarioToml, SaysWhereAnUnknownKeyOfAVariantIs) {
  EXPECT_THAT(error_of(kSmall + "[[variant]]\nname = \"a\"\npath.rttt = \"1 s\"\n"),
              StartsWith("x.toml:20:6: unknown key \"rttt\""));
}

TEST(ScenarioToml, SaysWhereTheTextIsNotToml) {
  EXPECT_THAT(error_of("name = \"a\"\ntitle = \n"), StartsWith("x.toml:2:"));
}

TEST(ScenarioToml, SaysWhatAnAmountLooksLike) {
  std::string text = kSmall;
  text.replace(text.find("\"10 ms\""), 7, "\"10 mm\"");
  EXPECT_THAT(error_of(text), StartsWith("x.toml:6:7: rtt in [path]: \"10 mm\" is not an amount"));
}

TEST(ScenarioToml, RefusesWhatItDoesNotKnow) {
  const std::string why = "\nwhy = \"w\"\nat_most = 1\n";
  EXPECT_THAT(error_of(kSmall + "[[expect]]\nmeasure = \"beauty\"" + why),
              HasSubstr("there is no measure \"beauty\""));
  EXPECT_THAT(error_of(kSmall + "[[expect]]\nmeasure = \"losses\"\ncontrollers = [\"vegas\"]" + why),
              HasSubstr("there is no controller \"vegas\""));
  EXPECT_THAT(error_of(kSmall + "[[expect]]\nmeasure = \"losses\"\nvariants = [\"b\"]" + why),
              HasSubstr("there is no variant \"b\""));
}

TEST(ScenarioToml, ABoundNeedsAReason) {
  EXPECT_THAT(error_of(kSmall + "[[expect]]\nmeasure = \"losses\"\nat_most = 1\n"),
              HasSubstr("needs a key \"why\""));
}

TEST(ScenarioToml, AnExpectationNeedsABound) {
  EXPECT_THAT(error_of(kSmall + "[[expect]]\nmeasure = \"losses\"\nwhy = \"w\"\n"),
              HasSubstr("at_least or at_most"));
}

TEST(ScenarioToml, BoundsOfTimesAreReadInSeconds) {
  const Scenario s =
      parse_scenario(kSmall + "[[expect]]\nmeasure = \"low_window_s\"\nat_most = \"70 ms\"\nwhy = \"w\"\n",
                     "x.toml")
          .value();
  EXPECT_DOUBLE_EQ(s.expectations.at(0).at_most.value(), 0.07);
}

TEST(ScenarioToml, ReadsALoadInChunksThatIsBoundedInTime) {
  const std::string load = "sender = \"client\"\nlasts = \"60 s\"\nchunk = \"20 kB\"\nevery = \"40 ms\"\n";
  const Scenario scenario = parse_scenario(kSmall + load, "x.toml").value();
  const LoadConfig& config = scenario.variants.at(0).load;
  EXPECT_EQ(config.sender, Side::client);
  EXPECT_EQ(config.lasts, seconds{60});
  EXPECT_EQ(config.chunk, 20'000U);
  EXPECT_EQ(config.every, milliseconds{40});
  EXPECT_TRUE(config.read_rate.is_unlimited());
}

TEST(ScenarioToml, ALoadNeedsWhatBelongsTogether) {
  EXPECT_THAT(error_of(kSmall + "chunk = \"20 kB\"\n"), HasSubstr("needs `every`"));
  EXPECT_THAT(error_of(kSmall + "every = \"20 ms\"\n"), HasSubstr("needs `chunk`"));
  std::string text = kSmall + "sender = \"client\"\n";
  text.replace(text.find("\"stream\""), 8, "\"http3\" ");
  EXPECT_THAT(error_of(text), HasSubstr("needs kind = \"stream\""));
}

TEST(ScenarioToml, AProbabilityIsBetweenZeroAndOne) {
  std::string text = kSmall;
  text.replace(text.find("= 0.3"), 5, "= 30 ");
  EXPECT_THAT(error_of(text), HasSubstr("x.toml:14:15: probability in [[loss]]: must be between 0 and 1"));
}

TEST(ScenarioToml, AFaultOfRecoveryRunsUnderTheFirstControllerAndIsNotThatControllersFailure) {
  const Scenario s = parse_scenario(kSmall +
                                        "[[expect_failure]]\nfault = \"pto-times-four\"\nby = [\"losses\", "
                                        "\"floor\"]\nwhy = \"w\"\n",
                                    "x.toml")
                         .value();
  EXPECT_EQ(s.expected_failures.at(0).controller, "cubic");
  EXPECT_EQ(s.expected_failures.at(0).by, (std::vector<std::string>{"losses", "floor"}));
  EXPECT_EQ(s.expected_failure("cubic"), nullptr);
}

TEST(ScenarioToml, TheReducedFormLiesOverTheFileAndUnderItsVariants) {
  const std::string text = kSmall + R"(
[reduced]
seeds = 1
load.bytes = "1 kB"
limits.deadline = "5 s"
[[variant]]
name = "as-is"
[[variant]]
name = "own"
load.bytes = "2 kB"
)";
  const Scenario declared = parse_scenario(text, "x.toml").value();
  const Scenario reduced = parse_scenario(text, "x.toml", Form::reduced).value();
  EXPECT_EQ(declared.seeds, 3U);
  EXPECT_EQ(declared.variants.at(0).load.bytes, 1'000'000U);
  EXPECT_EQ(reduced.seeds, 1U);
  EXPECT_EQ(reduced.variants.at(0).load.bytes, 1000U);
  EXPECT_EQ(reduced.variants.at(0).deadline, seconds{5});
  EXPECT_EQ(reduced.variants.at(1).load.bytes, 2000U);
}

TEST(Catalogue, EveryReducedFormCanBeRead) {
  for (const auto& name : scenario_names()) {
    const auto scenario = find_scenario(name, Form::reduced);
    EXPECT_TRUE(scenario) << scenario.error();
  }
}

TEST(Catalogue, EveryBuiltInScenarioCanBeReadAndIsNamedLikeItsFile) {
  ASSERT_GE(scenario_names().size(), 6U);
  for (const auto& name : scenario_names()) {
    const auto scenario = find_scenario(name);
    ASSERT_TRUE(scenario) << scenario.error();
    EXPECT_EQ(scenario->name, name);
    EXPECT_FALSE(scenario->story.empty());
  }
}

TEST(Catalogue, AnUnknownNameListsTheKnownOnes) {
  EXPECT_THAT(find_scenario("colapse").error(), HasSubstr("collapse-recovery"));
  EXPECT_THAT(find_scenario("nowhere/x.toml").error(), HasSubstr("cannot read nowhere/x.toml: No such file"));
}

}  // namespace
}  // namespace quell::lab
