#include "quell/lab/batch.h"

#include <algorithm>
#include <atomic>
#include <mutex>
#include <thread>
#include <utility>

#include "quell/base/check.h"
#include "quell/lab/certificate.h"
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
  Pool(const BatchRequest& request, BatchResult& result)
      : request_(request), result_(result), total_(request.controllers.size() * request.seeds.size()) {}

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
      result_.controllers[c].seeds[s] = run_seed(request_, request_.controllers[c], request_.seeds[s]);
      report();
    }
  }

  void report() {
    const std::scoped_lock lock{mutex_};
    ++done_;
    if (request_.progress) request_.progress(done_, total_);
  }

  const BatchRequest& request_;
  BatchResult& result_;
  std::size_t total_;
  std::atomic<std::size_t> next_{0};
  std::mutex mutex_;
  std::size_t done_ = 0;
};

}  // namespace

BatchResult run_batch(const BatchRequest& request) {
  QUELL_CHECK(!request.seeds.empty());
  lab_certificate();
  BatchResult result;
  result.controllers.resize(request.controllers.size());
  for (auto& controller : result.controllers) controller.seeds.resize(request.seeds.size());
  Pool{request, result}.run();

  sim::Digest digest;
  for (std::size_t c = 0; c < request.controllers.size(); ++c) {
    ControllerResult& controller = result.controllers[c];
    controller.verdict = judge_controller(request.scenario, request.controllers[c], controller.seeds);
    result.ok = result.ok && controller.verdict.is_met;
    for (const SeedResult& seed : controller.seeds) {
      for (const RunResult& run : seed.runs) digest.add(run.digest);
    }
  }
  result.digest = digest.value();
  return result;
}

}  // namespace quell::lab
