// Does the suite catch what it is there to catch? The suite's own test: every specimen, in the scenarios that
// have promised to catch it ([[expect_failure]]), must fail where its sound twin passes, and for the right
// reason.
#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "quell/lab/scenario.h"

namespace quell::lab {

// A faulty controller of cc/specimens, or a faulty rule of recovery that some controller runs on.
struct SpecimenCase {
  std::string name;
  std::string when;
  bool is_fault_of_recovery = false;
};

// One scenario, tried on one specimen.
struct Trial {
  std::string scenario;
  std::uint64_t seeds = 0;
  std::uint64_t failed = 0;         // of them
  std::vector<std::string> missed;  // each measure or law once; "compare" for a comparison
  std::string reason;               // a sentence about the first of them that had to be missed
  std::string objection;            // why it does not count as caught; empty: it does
  bool operator==(const Trial&) const = default;
};

struct SpecimenResult {
  std::string name;
  std::string when;
  std::vector<Trial> trials;
  bool is_promised = false;  // some scenario has promised to catch it
  // Every promise was kept, and there was one.
  bool is_caught() const;
  bool operator==(const SpecimenResult&) const = default;
};

struct SpecimensRequest {
  std::vector<SpecimenCase> cases;
  std::vector<Scenario> scenarios;
  unsigned jobs = 1;
  std::uint32_t most_seeds = 10;  // of each scenario
  bool all_scenarios = false;     // also those that have promised nothing
  // Makes recovery follow the fault of this name; empty: the sound rules. Needed for faults of recovery.
  std::function<void(const std::string&)> put_in_force;
  std::function<void(const std::string& specimen)> progress;
};
std::vector<SpecimenResult> try_specimens(const SpecimensRequest& request);

// The controllers that are specimens by themselves.
std::vector<SpecimenCase> controller_specimens();

std::string specimens_table(const std::vector<SpecimenResult>& results);
std::string specimens_json(const std::vector<SpecimenResult>& results);
std::expected<std::vector<SpecimenResult>, std::string> read_specimens_json(std::string_view text);

}  // namespace quell::lab
