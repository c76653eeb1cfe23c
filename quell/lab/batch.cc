#include "quell/lab/batch.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <utility>

#include "quell/base/check.h"
#include "quell/lab/certificate.h"
#include "quell/lab/versus.h"
#include "quell/sim/digest.h"

namespace quell::lab {
namespace {

SeedResult run_seed(const BatchRequest& request, const std::string& controller, std::uint64_t seed) {
  SeedResult result;
  result.seed = seed;
  for (std::size_t v = 0; v < request.scenario.variants.size(); ++v) {
    result.runs.push_back(run_once({.scenario = &request.scenario,
                                    .variant = v,
                                    .controller = controller,
                                    .seed = seed,
                                    .want_series = false,
                                    .want_windows = !request.scenario.comparisons.empty(),
                                    .qlog_dir = request.qlog_dir}));
  }
  judge_seed(request.scenario, controller, result);
  return result;
}

// Hands out one controller and seed at a time; every worker writes into its own places.
class Pool {
 public:
  Pool(const BatchRequest& request, std::vector<ControllerResult>& results)
      : request_(request), results_(results), total_(request.controllers.size() * request.seeds.size()) {}

  void run() {
    const std::size_t count = std::clamp<std::size_t>(request_.jobs, 1, total_);
    std::vector<std::jthread> workers;
    for (std::size_t i = 1; i < count; ++i) workers.emplace_back([this] { work(); });
    work();
  }

 private:
  void work() {
    for (std::size_t i = next_++; i < total_; i = next_++) {
      const std::size_t c = i / request_.seeds.size();
      const std::size_t s = i % request_.seeds.size();
      results_[c].seeds[s] = run_seed(request_, request_.controllers[c], request_.seeds[s]);
      report();
    }
  }

  void report() {
    const std::scoped_lock lock{mutex_};
    ++done_;
    if (request_.progress) request_.progress(done_, total_);
  }

  const BatchRequest& request_;
  std::vector<ControllerResult>& results_;
  std::size_t total_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::size_t done_ = 0;
};

}  // namespace

std::vector<ControllerResult> run_seeds(const BatchRequest& request) {
  QUELL_CHECK(!request.seeds.empty());
  lab_certificate();
  std::vector<ControllerResult> results(request.controllers.size());
  for (auto& controller : results) controller.seeds.resize(request.seeds.size());
  Pool{request, results}.run();
  return results;
}

BatchResult judge_batch(const Scenario& scenario, const std::vector<std::string>& controllers,
                        std::vector<ControllerResult> results) {
  BatchResult result{.controllers = std::move(results)};
  judge_seeds_against(scenario, result.controllers, controllers);
  sim::Digest digest;
  for (std::size_t c = 0; c < controllers.size(); ++c) {
    ControllerResult& controller = result.controllers[c];
    controller.verdict = judge_controller(scenario, controllers[c], controller.seeds);
    judge_against(scenario, controller);
    result.ok = result.ok && controller.verdict.is_met;
    for (const SeedResult& seed : controller.seeds) {
      for (const RunResult& run : seed.runs) digest.add(run.digest);
    }
  }
  result.digest = digest.value();
  return result;
}

BatchResult run_batch(const BatchRequest& request) {
  return judge_batch(request.scenario, request.controllers, run_seeds(request));
}

}  // namespace quell::lab
