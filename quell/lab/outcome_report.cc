#include "quell/lab/outcome_report.h"

#include <fmt/format.h>

#include <cstddef>
#include <tuple>
#include <utility>

#include "quell/lab/limits.h"
#include "quell/lab/outcome_text.h"
#include "quell/sim/digest.h"

namespace quell::lab {
namespace {

ReportRow make_row(const Scenario& scenario, const std::string& name, const ControllerResult& controller) {
  const ControllerVerdict& v = controller.verdict;
  const Figures figures = figures_of(controller, scenario.variants.size());
  ReportRow row;
  row.controller = v.controller;
  row.is_expected_to_fail = v.is_expected_to_fail;
  row.is_met = v.is_met;
  row.seeds = v.seeds;
  row.passed = v.passed;
  row.time_s = ReportTimes{figures.min, figures.median, figures.p90, figures.max};
  row.recovery_flips_median = figures.flips;
  row.floor_time_s_median = figures.floor_s;
  row.reasons = v.reasons;
  if (v.replay) row.replay = replay_command(name, v.controller, *v.replay);
  return row;
}

// How much a seed has to show: first what failed against the expectation, then what never completed, then
// time at the floor.
std::tuple<std::size_t, std::size_t, double> interest_of(const BatchResult& result, std::size_t ordinal) {
  std::size_t surprises = 0;
  std::size_t unfinished = 0;
  double floor_s = 0;
  for (const ControllerResult& controller : result.controllers) {
    const SeedResult& seed = controller.seeds[ordinal];
    surprises += !seed.passed() && !controller.verdict.is_expected_to_fail ? 1 : 0;
    for (const RunResult& run : seed.runs) {
      unfinished += run.measures.completed ? 0 : 1;
      floor_s += run.measures.value("floor_s");
    }
  }
  return {surprises, unfinished, floor_s};
}

// One for all controllers: side by side they are to differ by nothing else. The first of the most
// interesting.
std::size_t most_telling_seed(const BatchResult& result) {
  std::size_t best = 0;
  for (std::size_t i = 1; i < result.controllers.front().seeds.size(); ++i) {
    if (interest_of(result, i) > interest_of(result, best)) best = i;
  }
  return best;
}

std::string sentence_about(const RunResult& run) {
  const Measures& m = run.measures;
  const std::string end =
      m.completed ? fmt::format("completed in {:.2f} s", m.value("completion_s")) : run.failure;
  return fmt::format(
      "{}; limited by {}; {:g} entries into recovery after the last loss, {:.2f} s at the floor", end,
      describe_limits(m), m.value("recovery_flips"), m.value("floor_s"));
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
  const std::size_t telling = most_telling_seed(result);
  for (const ControllerResult& controller : result.controllers) {
    report.rows.push_back(make_row(scenario, name, controller));
    const SeedResult& shown = controller.seeds[telling];
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
