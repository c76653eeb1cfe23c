#include "quell/lab/expectations.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string_view>

#include "quell/base/check.h"
#include "quell/lab/comparison.h"
#include "quell/lab/laws.h"

namespace quell::lab {
namespace {

bool applies(const std::vector<std::string>& names, const std::string& name) {
  return names.empty() || std::ranges::find(names, name) != names.end();
}

bool is_within(const Expectation& e, double value) {
  return (!e.at_least || value >= *e.at_least) && (!e.at_most || value <= *e.at_most);
}

std::string amount(const Expectation& e, double value) {
  return is_time(e.measure) ? fmt::format("{:.4g} s", value) : fmt::format("{:.4g}", value);
}

std::string bound_text(const Expectation& e) {
  std::string text = e.measure;
  if (e.statistic == Statistic::median) text = "median " + text;
  if (e.statistic == Statistic::p90) text = "p90 " + text;
  if (e.statistic == Statistic::max) text = "max " + text;
  if (e.at_least) text += " >= " + amount(e, *e.at_least);
  if (e.at_most) text += " <= " + amount(e, *e.at_most);
  return text;
}

std::string in_variant(const Scenario& scenario, std::size_t variant) {
  const std::string& name = scenario.variants[variant].name;
  return name.empty() ? "" : " in " + name;
}

double statistic_of(Statistic statistic, std::vector<double> values) {
  if (statistic == Statistic::median) return quantile(std::move(values), 0.5);
  if (statistic == Statistic::p90) return quantile(std::move(values), 0.9);
  return quantile(std::move(values), 1);
}

// Judges one controller's expectations one by one, and collects what was not met.
class Judge {
 public:
  Judge(const Scenario& scenario, std::span<const SeedResult> results, ControllerVerdict& verdict)
      : scenario_(scenario), results_(results), verdict_(verdict) {}

  void expectation(const Expectation& e) {
    // Bounds for everybody are not asked of a specimen: it is there to miss them.
    if (verdict_.is_expected_to_fail && e.controllers.empty()) return;
    if (!applies(e.controllers, verdict_.controller)) return;
    for (std::size_t v = 0; v < scenario_.variants.size(); ++v) {
      if (!applies(e.variants, scenario_.variants[v].name)) continue;
      if (e.statistic == Statistic::each) {
        each(e, v);
      } else {
        statistic(e, v);
      }
    }
  }

  void comparison(std::size_t ordinal) {
    const Comparison& c = scenario_.comparisons[ordinal];
    if (verdict_.is_expected_to_fail || !applies(c.controllers, verdict_.controller)) return;
    for (const SeedResult& result : results_) {
      const auto missed =
          std::ranges::find(result.missed_comparisons, ordinal, &SeedResult::MissedComparison::ordinal);
      if (missed == result.missed_comparisons.end()) continue;
      return miss("compare", fmt::format("{}; why: {}", missed->text, c.why), result.seed);
    }
  }

  void laws() {
    std::set<std::string_view> told;
    for (const SeedResult& result : results_) {
      for (const RunResult& run : result.runs) {
        for (const std::string& broken : run.broken_laws) law(broken, result.seed, told);
      }
    }
  }

  void failure(const ExpectedFailure& f) {
    // With few seeds a share cannot be told exactly: the fraction of a seed counts for the scenario.
    const double allowed = std::ceil((1 - f.at_least) * static_cast<double>(verdict_.seeds) - 1e-9);
    if (static_cast<double>(verdict_.passed) <= allowed) return;
    const auto escaped = std::ranges::find_if(results_, &SeedResult::passed);
    miss("expect_failure",
         fmt::format("must fail {:g} % of the seeds, but {} of {} passed; why: {}", f.at_least * 100,
                     verdict_.passed, verdict_.seeds, f.why),
         escaped->seed);
  }

 private:
  void each(const Expectation& e, std::size_t variant) {
    std::size_t missed = 0;
    const SeedResult* first = nullptr;
    for (const SeedResult& result : results_) {
      if (is_within(e, result.runs[variant].measures.value(e.measure))) continue;
      if (missed++ == 0) first = &result;
    }
    const double met = static_cast<double>(results_.size() - missed);
    if (missed == 0 || met >= e.share * static_cast<double>(results_.size())) return;
    const RunResult& run = first->runs[variant];
    std::string text = fmt::format("{}{} missed by {} of {} seeds; seed {} has {}", bound_text(e),
                                   in_variant(scenario_, variant), missed, results_.size(), first->seed,
                                   amount(e, run.measures.value(e.measure)));
    if (!run.failure.empty()) text += fmt::format(" ({})", run.failure);
    miss(e.measure, fmt::format("{}; why: {}", text, e.why), first->seed);
  }

  void statistic(const Expectation& e, std::size_t variant) {
    const double value = statistic_of(e.statistic, values_of(results_, variant, e.measure));
    if (is_within(e, value)) return;
    const auto beyond = std::ranges::find_if(results_, [&](const SeedResult& r) {
      return !is_within(e, r.runs[variant].measures.value(e.measure));
    });
    miss(e.measure,
         fmt::format("{}{} is {}; why: {}", bound_text(e), in_variant(scenario_, variant), amount(e, value),
                     e.why),
         beyond->seed);
  }

  // Each law once. A specimen that is expected to fail breaks the laws of controllers by its nature, and no
  // other.
  void law(std::string_view broken, std::uint64_t seed, std::set<std::string_view>& told) {
    const std::string_view name = law_of(broken);
    if (verdict_.is_expected_to_fail && is_law_of_controllers(name)) return;
    if (told.insert(name).second) miss(name, fmt::format("law broken: {}", broken), seed);
  }

  void miss(std::string_view what, std::string reason, std::uint64_t seed) {
    verdict_.is_met = false;
    verdict_.missed.emplace_back(what);
    verdict_.reasons.push_back(std::move(reason));
    if (!verdict_.replay) verdict_.replay = seed;
  }

  const Scenario& scenario_;
  std::span<const SeedResult> results_;
  ControllerVerdict& verdict_;
};

}  // namespace

void judge_seed(const Scenario& scenario, const std::string& controller, SeedResult& result) {
  const bool is_expected_to_fail = scenario.expected_failure(controller) != nullptr;
  for (const Expectation& e : scenario.expectations) {
    if (e.statistic != Statistic::each || !applies(e.controllers, controller)) continue;
    // What is asked of a specimen by name says how it fails, not that it passes.
    if (is_expected_to_fail && !e.controllers.empty()) continue;
    for (std::size_t v = 0; v < result.runs.size(); ++v) {
      const double value = result.runs[v].measures.value(e.measure);
      if (!applies(e.variants, scenario.variants[v].name) || is_within(e, value)) continue;
      result.misses.push_back(
          fmt::format("{}{}: {}", bound_text(e), in_variant(scenario, v), amount(e, value)));
    }
  }
  for (std::size_t i = 0; i < scenario.comparisons.size(); ++i) {
    if (!applies(scenario.comparisons[i].controllers, controller)) continue;
    const ComparisonOutcome outcome = compare(scenario, scenario.comparisons[i], result.runs);
    if (outcome.is_met) continue;
    result.missed_comparisons.push_back({i, outcome.text});
    result.misses.push_back(outcome.text);
  }
  for (const RunResult& run : result.runs) {
    for (const auto& law : run.broken_laws) result.misses.push_back("law broken: " + law);
  }
}

ControllerVerdict judge_controller(const Scenario& scenario, const std::string& controller,
                                   std::span<const SeedResult> results) {
  QUELL_CHECK(!results.empty());
  ControllerVerdict verdict;
  verdict.controller = controller;
  verdict.seeds = results.size();
  verdict.passed = static_cast<std::uint64_t>(std::ranges::count_if(results, &SeedResult::passed));
  const ExpectedFailure* failure = scenario.expected_failure(controller);
  verdict.is_expected_to_fail = failure != nullptr;
  Judge judge{scenario, results, verdict};
  judge.laws();
  for (const Expectation& e : scenario.expectations) judge.expectation(e);
  for (std::size_t i = 0; i < scenario.comparisons.size(); ++i) judge.comparison(i);
  if (failure != nullptr) judge.failure(*failure);
  return verdict;
}

double quantile(std::vector<double> values, double share) {
  QUELL_CHECK(!values.empty());
  std::ranges::sort(values);
  const double rank = std::ceil(share * static_cast<double>(values.size()) - 1e-9);
  return values[static_cast<std::size_t>(std::max(rank, 1.0)) - 1];
}

std::vector<double> values_of(std::span<const SeedResult> results, std::size_t variant,
                              std::string_view measure) {
  std::vector<double> values;
  for (const SeedResult& result : results) {
    for (std::size_t v = 0; v < result.runs.size(); ++v) {
      if (variant >= result.runs.size() || v == variant)
        values.push_back(result.runs[v].measures.value(measure));
    }
  }
  return values;
}

}  // namespace quell::lab
