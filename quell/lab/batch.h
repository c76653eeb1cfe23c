// What happens over many seeds and controllers? Runs them on several threads; the results do not depend on
// how many.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "quell/lab/expectations.h"

namespace quell::lab {

struct BatchRequest {
  Scenario scenario;
  std::vector<std::string> controllers;  // names of cc/registry
  std::vector<std::uint64_t> seeds;      // at least one
  unsigned jobs = 1;
  std::string qlog_dir;
  // Called now and then, from any one thread at a time.
  std::function<void(std::size_t done, std::size_t total)> progress;
};

struct ControllerResult {
  ControllerVerdict verdict;
  std::vector<SeedResult> seeds;  // in the order asked for
};

struct BatchResult {
  std::vector<ControllerResult> controllers;  // in the order asked for
  std::uint64_t digest = 0;                   // over all runs, in order
  bool ok = true;                             // every expectation was met
};

BatchResult run_batch(const BatchRequest& request);
// The runs alone, for somebody else to judge; verdicts and digest are left empty.
std::vector<ControllerResult> run_seeds(const BatchRequest& request);
// Runs into verdicts; `results` has one entry per controller, in the order asked for.
BatchResult judge_batch(const Scenario& scenario, const std::vector<std::string>& controllers,
                        std::vector<ControllerResult> results);

}  // namespace quell::lab
