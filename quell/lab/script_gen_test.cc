#include "quell/lab/script_gen.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "quell/lab/liveness_terms.h"
#include "quell/lab/mutate.h"
#include "quell/lab/scenario_toml.h"
#include "quell/lab/scenario_writer.h"

namespace quell::lab {
namespace {

// What a hunt needs of every script, drawn or mutated.
void check_script(const Variant& script) {
  for (const GrowthLaw law : {GrowthLaw::reno, GrowthLaw::cubic, GrowthLaw::bbr}) {
    const auto terms = derive_liveness(script, law);
    if (!terms) RC_FAIL(terms.error());
    // The floor is far enough below what the law asks for.
    RC_ASSERT(terms->window_packets > 6);
    RC_ASSERT(terms->allowed(Duration{0}) < script.deadline);
  }
  Scenario scenario;
  scenario.name = "script";
  scenario.variants = {script};
  const auto back = parse_scenario(write_scenario(scenario), "script.toml");
  if (!back) RC_FAIL(back.error());
  RC_ASSERT(*back == scenario);
}

RC_GTEST_PROP(ScriptGen, EveryScriptIsJudgedAndReadsBack, (std::uint64_t seed)) {
  Rng rng{seed};
  check_script(random_script(rng));
}

RC_GTEST_PROP(Mutate, EveryMutantIsJudgedAndReadsBack, (std::uint64_t seed)) {
  Rng rng{seed};
  Variant script = random_script(rng);
  for (int i = 0; i < 20; ++i) script = mutate(script, rng);
  check_script(script);
}

TEST(ScriptGen, EqualSeedsDrawEqualScripts) {
  Rng a{7};
  Rng b{7};
  EXPECT_EQ(random_script(a), random_script(b));
  EXPECT_NE(random_script(a), random_script(a));
}

TEST(ScriptGen, RoundsToTwoDigits) {
  EXPECT_DOUBLE_EQ(two_digits(123'456), 120'000);
  EXPECT_DOUBLE_EQ(two_digits(0.0987), 0.099);
  EXPECT_DOUBLE_EQ(two_digits(0), 0);
}

}  // namespace
}  // namespace quell::lab
