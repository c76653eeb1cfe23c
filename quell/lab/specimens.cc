#include "quell/lab/specimens.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <map>
#include <optional>
#include <thread>
#include <utility>

#include "quell/base/check.h"
#include "quell/cc/specimens/catalogue.h"
#include "quell/lab/batch.h"
#include "quell/lab/certificate.h"

namespace quell::lab {
namespace {

bool contains(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

// What a specimen would be without its fault; a sound controller is its own twin.
std::string sound_twin(const std::string& controller) {
  const cc::Specimen* specimen = cc::find_specimen(controller);
  return specimen == nullptr ? controller : std::string{specimen->sound};
}

// The scenario with the specimen in its twin's part: what is asked of one is asked of the other.
Scenario cast(const Scenario& scenario, const std::string& twin, const std::string& controller) {
  Scenario play = scenario;
  play.expected_failures.clear();
  const auto take_part = [&](std::vector<std::string>& names) {
    if (contains(names, twin) && !contains(names, controller)) names.push_back(controller);
  };
  for (Expectation& e : play.expectations) take_part(e.controllers);
  for (Comparison& c : play.comparisons) take_part(c.controllers);
  return play;
}

// One batch to run, and what became of it.
struct Task {
  const SpecimenCase* specimen = nullptr;  // null: the sound twin's run
  const Scenario* scenario = nullptr;
  const ExpectedFailure* promise = nullptr;  // null: none was given
  std::string controller{};
  ControllerVerdict verdict{};
};

void run_task(Task& task, std::uint32_t most_seeds) {
  BatchRequest batch;
  batch.scenario = cast(*task.scenario, sound_twin(task.controller), task.controller);
  batch.controllers = {task.controller};
  for (std::uint64_t seed = 1; seed <= std::min(most_seeds, task.scenario->seeds); ++seed)
    batch.seeds.push_back(seed);
  task.verdict = run_batch(batch).controllers.front().verdict;
}

void run_tasks(std::vector<Task>& tasks, const SpecimensRequest& request) {
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < tasks.size(); i = next++) run_task(tasks[i], request.most_seeds);
  };
  std::vector<std::jthread> workers;
  for (std::size_t i = 1; i < std::min<std::size_t>(request.jobs, tasks.size()); ++i)
    workers.emplace_back(work);
  work();
}

const ExpectedFailure* promise_of(const Scenario& scenario, const SpecimenCase& specimen) {
  for (const ExpectedFailure& failure : scenario.expected_failures) {
    const bool is_meant = specimen.is_fault_of_recovery
                              ? failure.fault == specimen.name
                              : failure.fault.empty() && failure.controller == specimen.name;
    if (is_meant) return &failure;
  }
  return nullptr;
}

std::vector<Task> tasks_for(const SpecimenCase& specimen, const SpecimensRequest& request) {
  std::vector<Task> tasks;
  for (const Scenario& scenario : request.scenarios) {
    const ExpectedFailure* promise = promise_of(scenario, specimen);
    if (promise == nullptr && !request.all_scenarios) continue;
    std::string controller = specimen.is_fault_of_recovery ? scenario.controllers.front() : specimen.name;
    if (promise != nullptr) controller = promise->controller;
    tasks.push_back({&specimen, &scenario, promise, std::move(controller)});
  }
  return tasks;
}

// The sound twins' verdicts, by scenario and controller.
using Twins = std::map<std::pair<std::string, std::string>, ControllerVerdict>;

Twins run_twins(const std::vector<Task>& tasks, const SpecimensRequest& request) {
  std::map<std::pair<std::string, std::string>, Task> wanted;
  for (const Task& task : tasks) {
    const std::string twin = sound_twin(task.controller);
    wanted[{task.scenario->name, twin}] = {nullptr, task.scenario, nullptr, twin};
  }
  std::vector<Task> twins;
  for (auto& [key, task] : wanted) twins.push_back(std::move(task));
  run_tasks(twins, request);
  Twins verdicts;
  for (Task& task : twins) verdicts[{task.scenario->name, task.controller}] = std::move(task.verdict);
  return verdicts;
}

std::string objection_to(const Task& task, const ControllerVerdict& twin) {
  const ControllerVerdict& v = task.verdict;
  if (!twin.is_met) return "the sound one fails here, too: " + twin.reasons.front();
  if (v.is_met) return "it passes";
  if (task.promise == nullptr) return {};
  for (const std::string& name : task.promise->by) {
    if (!contains(v.missed, name)) return fmt::format("it fails, but not by {}", name);
  }
  const double allowed = std::ceil((1 - task.promise->at_least) * static_cast<double>(v.seeds) - 1e-9);
  if (static_cast<double>(v.passed) > allowed)
    return fmt::format("only {} of {} seeds fail", v.seeds - v.passed, v.seeds);
  return {};
}

Trial trial_of(const Task& task, const ControllerVerdict& twin) {
  const ControllerVerdict& v = task.verdict;
  Trial trial{.scenario = task.scenario->name,
              .seeds = v.seeds,
              .failed = v.seeds - v.passed,
              .missed = {},
              .reason = {},
              .objection = objection_to(task, twin)};
  for (std::size_t i = 0; i < v.missed.size(); ++i) {
    if (!contains(trial.missed, v.missed[i])) trial.missed.push_back(v.missed[i]);
    const bool is_wanted =
        task.promise == nullptr || task.promise->by.empty() || v.missed[i] == task.promise->by.front();
    if (is_wanted && trial.reason.empty()) trial.reason = v.reasons[i];
  }
  return trial;
}

}  // namespace

bool SpecimenResult::is_caught() const {
  return is_promised && std::ranges::all_of(trials, [](const Trial& t) { return t.objection.empty(); });
}

std::vector<SpecimenCase> controller_specimens() {
  std::vector<SpecimenCase> cases;
  for (const cc::Specimen& s : cc::specimens()) {
    if (!s.needs_faulty_recovery) cases.push_back({std::string{s.name}, std::string{s.when}, false});
  }
  return cases;
}

std::vector<SpecimenResult> try_specimens(const SpecimensRequest& request) {
  lab_certificate();
  std::vector<std::vector<Task>> tasks;
  std::vector<Task> every;
  for (const SpecimenCase& specimen : request.cases) {
    tasks.push_back(tasks_for(specimen, request));
    every.insert(every.end(), tasks.back().begin(), tasks.back().end());
  }
  if (request.progress) request.progress("the sound ones");
  const Twins twins = run_twins(every, request);
  std::vector<SpecimenResult> results;
  for (std::size_t i = 0; i < tasks.size(); ++i) {
    const SpecimenCase& specimen = request.cases[i];
    if (request.progress) request.progress(specimen.name);
    if (specimen.is_fault_of_recovery) request.put_in_force(specimen.name);
    run_tasks(tasks[i], request);
    if (specimen.is_fault_of_recovery) request.put_in_force({});
    SpecimenResult& result = results.emplace_back(specimen.name, specimen.when);
    for (const Task& task : tasks[i]) {
      Trial trial = trial_of(task, twins.at({task.scenario->name, sound_twin(task.controller)}));
      result.is_promised = result.is_promised || task.promise != nullptr;
      // A scenario that has promised nothing is only worth a line when it catches.
      if (task.promise != nullptr || trial.objection.empty()) result.trials.push_back(std::move(trial));
    }
  }
  return results;
}

}  // namespace quell::lab
