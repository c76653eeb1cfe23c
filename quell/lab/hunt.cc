#include "quell/lab/hunt.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <thread>
#include <utility>
#include <vector>

#include "quell/cc/registry.h"
#include "quell/lab/certificate.h"
#include "quell/lab/laws.h"
#include "quell/lab/mutate.h"
#include "quell/lab/script_gen.h"
#include "quell/lab/shrink.h"

namespace quell::lab {
namespace {

// Every script is run with this seed, which is also the first that `lab run` takes.
constexpr std::uint64_t kRunSeed = 1;
// What is drawn at once does not depend on the number of threads.
constexpr std::size_t kGeneration = 32;
constexpr std::size_t kElite = 12;
constexpr double kFresh = 0.4;  // share of a generation that is drawn from nothing
constexpr std::size_t kMostShrinkRuns = 600;

struct Candidate {
  Variant script;
  double hardness = 0;
  std::uint64_t events = 0;
  std::string breach;
};

Scenario scenario_of(const Variant& script, const std::string& controller) {
  Scenario scenario;
  scenario.name = "hunt";
  // One from a shared library is not known when the file is read: it is named with --cc again.
  if (cc::find(controller)->file.empty()) scenario.controllers = {controller};
  scenario.variants = {script};
  return scenario;
}

RunResult run_script(const HuntRequest& request, const Variant& script) {
  const Scenario scenario = scenario_of(script, request.controller);
  if (request.on_run) request.on_run(scenario);
  RunRequest run;
  run.scenario = &scenario;
  run.controller = request.controller;
  run.seed = kRunSeed;
  run.stop_at_law = request.law;
  return run_once(run);
}

void try_one(const HuntRequest& request, Candidate& candidate) {
  const RunResult run = run_script(request, candidate.script);
  candidate.events = run.events;
  candidate.hardness = hardness(run, candidate.script);
  candidate.breach = breach_of(run, request.law);
}

void try_all(const HuntRequest& request, std::vector<Candidate>& candidates) {
  std::atomic<std::size_t> next{0};
  const auto work = [&] {
    for (std::size_t i = next++; i < candidates.size(); i = next++) try_one(request, candidates[i]);
  };
  std::vector<std::jthread> workers;
  for (unsigned i = 1; i < request.jobs; ++i) workers.emplace_back(work);
  work();
}

std::vector<Candidate> next_generation(const std::vector<Candidate>& elite, const Rng& rng) {
  std::vector<Candidate> candidates(kGeneration);
  for (std::size_t i = 0; i < kGeneration; ++i) {
    Rng own = rng.fork(fmt::format("{}", i));
    const bool is_fresh = elite.empty() || own.chance(kFresh);
    candidates[i].script = is_fresh ? random_script(own) : mutate(elite[own.below(elite.size())].script, own);
  }
  return candidates;
}

void keep_hardest(std::vector<Candidate>& elite, const std::vector<Candidate>& candidates) {
  elite.insert(elite.end(), candidates.begin(), candidates.end());
  std::ranges::stable_sort(elite, std::greater{}, &Candidate::hardness);
  if (elite.size() > kElite) elite.resize(kElite);
}

// The deadline as near as it may be: the run shall be over soon after its failure.
Variant with_near_deadline(Variant script, const RunResult& run) {
  constexpr TimePoint kBegin = sim::kStart;
  script.deadline = seconds{std::llround(std::ceil(to_seconds(run.ended_at - kBegin))) + 1};
  return script;
}

Find make_find(const HuntRequest& request, const Candidate& found, std::uint64_t ordinal) {
  const std::string law{law_of(found.breach)};
  HuntRequest same = request;
  same.law = law;
  const auto still_fails = [&](const Variant& script) {
    return !breach_of(run_script(same, script), law).empty();
  };
  Shrunk shrunk = shrink(found.script, still_fails, kMostShrinkRuns);
  const RunResult last = run_script(same, shrunk.script);
  Find find;
  find.scenario = scenario_of(with_near_deadline(std::move(shrunk.script), last), request.controller);
  find.law = law;
  find.breach = breach_of(last, law);
  find.run = ordinal;
  find.tried = shrunk.tried;
  return find;
}

}  // namespace

double hardness(const RunResult& run, const Variant& script) {
  const LivenessOutcome& l = run.liveness;
  if (!l.not_judged.empty()) return 0;
  double share = 0;
  if (l.first_ack_at && l.due_at) {
    const TimePoint until = l.reached_at.value_or(*l.due_at);
    share = to_seconds(until - *l.first_ack_at) / to_seconds(*l.due_at - *l.first_ack_at);
  }
  const double uncaused = run.measures.value("uncaused_recoveries");
  const double floor_rounds = run.measures.value("longest_floor_s") / to_seconds(script.rtt);
  return share + 0.5 * std::min(1.0, uncaused / 20) + 0.3 * std::min(1.0, floor_rounds / 40);
}

std::string breach_of(const RunResult& run, const std::string& law) {
  for (const std::string& sentence : run.broken_laws) {
    if (law.empty() || law_of(sentence) == law) return sentence;
  }
  return {};
}

HuntOutcome hunt(const HuntRequest& request) {
  lab_certificate();  // made once, by one thread
  const Rng rng{request.seed};
  HuntOutcome outcome;
  std::vector<Candidate> elite;
  for (std::uint64_t generation = 0;; ++generation) {
    if (outcome.events >= request.events || (request.is_time_up && request.is_time_up())) return outcome;
    std::vector<Candidate> candidates =
        next_generation(elite, rng.fork(fmt::format("generation {}", generation)));
    try_all(request, candidates);
    for (const Candidate& candidate : candidates) {
      ++outcome.runs;
      outcome.events += candidate.events;
      if (candidate.breach.empty()) continue;
      outcome.find = make_find(request, candidate, outcome.runs);
      return outcome;
    }
    keep_hardest(elite, candidates);
    outcome.hardest = elite.front().hardness;
    outcome.script = elite.front().script;
    if (request.progress) request.progress(outcome.runs, outcome.hardest);
  }
}

}  // namespace quell::lab
