// Is each fault alive, and are the rules in force sound until one is chosen? Linked with the faulty recovery.
#include <gtest/gtest.h>

#include <set>

#include "quell/faults/catalogue.h"
#include "quell/faults/mtu_probe_trial.h"

namespace quell::faults {
namespace {

TEST(Faults, EachHasANameOfItsOwnAndIsFound) {
  std::set<std::string_view> names;
  for (const Fault& fault : faults()) {
    EXPECT_EQ(find(fault.name), &fault);
    EXPECT_TRUE(names.insert(fault.name).second) << fault.name;
    EXPECT_FALSE(fault.when.empty() || fault.symptom.empty()) << fault.name;
  }
  EXPECT_EQ(find("none"), nullptr);
}

TEST(Faults, TheRulesAreSoundUntilAFaultIsInForce) {
  EXPECT_EQ(in_force().backed_off(milliseconds{40}, 3), milliseconds{320});
  put_in_force(find("pto-times-four")->rules);
  EXPECT_EQ(in_force().backed_off(milliseconds{40}, 3), milliseconds{40} * 64);
  put_in_force(nullptr);
  EXPECT_EQ(in_force().backed_off(milliseconds{40}, 3), milliseconds{320});
}

TEST(PtoShiftOverflow, IsZeroAfterEnoughDoublings) {
  const Rules& rules = *find("pto-shift-overflow")->rules;
  EXPECT_EQ(rules.backed_off(milliseconds{64}, 10), milliseconds{65'536});
  EXPECT_EQ(rules.backed_off(milliseconds{64}, 26), Duration{0});
}

// This recovery is the faulty build: what it does is what the rules in force say.
TEST(ProbeAsCongestion, CutsTheWindowWhereTheSoundRulesDoNot) {
  EXPECT_EQ(try_mtu_probes().objection, "it passes");
  put_in_force(find("probe-as-congestion")->rules);
  EXPECT_TRUE(try_mtu_probes().objection.empty());
  put_in_force(nullptr);
}

}  // namespace
}  // namespace quell::faults
