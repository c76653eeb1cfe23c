#include "quell/lab/outcome_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "quell/lab/outcome_text.h"
#include "quell/sim/digest.h"

namespace quell::lab {
namespace {

ReportRow make_row(const Scenario& scenario, const std::string& name, const ControllerResult& controller) {
  const ControllerVerdict& v = controller.verdict;
  const std::size_t all = scenario.variants.size();
  std::vector<double> times;
  for (const SeedResult& seed : controller.seeds) {
    for (const RunResult& run : seed.runs) {
      if (run.measures.completed) times.push_back(run.measures.completion_s);
    }
  }
  ReportRow row;
  row.controller = v.controller;
  row.is_expected_to_fail = v.is_expected_to_fail;
  row.is_met = v.is_met;
  row.seeds = v.seeds;
  row.passed = v.passed;
  if (!times.empty()) {
    row.time_s =
        ReportTimes{quantile(times, 1e-9), quantile(times, 0.5), quantile(times, 0.9), quantile(times, 1)};
  }
  row.recovery_flips_median = quantile(values_of(controller.seeds, all, "recovery_flips"), 0.5);
  row.floor_time_s_median = quantile(values_of(controller.seeds, all, "floor_s"), 0.5);
  row.reasons = v.reasons;
  if (v.replay) row.replay = replay_command(name, v.controller, *v.replay);
  return row;
}

std::string sentence_about(const RunResult& run) {
  const Measures& m = run.measures;
  const std::string end = m.completed ? fmt::format("completed in {:.2f} s", m.completion_s) : run.failure;
  return fmt::format("{}; {:g} entries into recovery after the last loss, {:.2f} s at the floor", end,
                     m.recovery_flips, m.floor_s);
}

}  // namespace

Report make_report(const BatchRequest& request, const std::string& name, const std::string& command,
                   const BatchResult& result) {
  const Scenario& scenario = request.scenario;
  Report report{.scenario = scenario.name,
                .title = scenario.title,
                .story = scenario.story,
                .digest = sim::to_hex(result.digest),
                .command = command,
                .ok = result.ok,
                .rows = {},
                .runs = {}};
  for (const ControllerResult& controller : result.controllers) {
    report.rows.push_back(make_row(scenario, name, controller));
    const auto failed =
        std::ranges::find_if(controller.seeds, [](const SeedResult& seed) { return !seed.passed(); });
    const SeedResult& shown = failed != controller.seeds.end() ? *failed : controller.seeds.front();
    const std::string& cc = controller.verdict.controller;
    for (std::size_t v = 0; v < scenario.variants.size(); ++v) {
      RunResult run = run_once({.scenario = &scenario,
                                .variant = v,
                                .controller = cc,
                                .seed = shown.seed,
                                .want_series = true,
                                .want_windows = false,
                                .qlog_dir = {}});
      report.runs.push_back({.controller = cc,
                             .variant = scenario.variants[v].name,
                             .seed = shown.seed,
                             .passed = shown.passed(),
                             .verdict = sentence_about(run),
                             .replay = replay_command(name, cc, shown.seed),
                             .series = std::move(run.series)});
    }
  }
  return report;
}

}  // namespace quell::lab
