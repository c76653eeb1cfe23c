#include "quell/lab/versus.h"

#include <fmt/format.h>

#include <algorithm>

namespace quell::lab {
namespace {

bool applies(const std::vector<std::string>& names, const std::string& name) {
  return names.empty() || std::ranges::find(names, name) != names.end();
}

bool is_within(const Versus& v, double mine, double other) {
  return (!v.at_least_ratio || mine >= *v.at_least_ratio * other) &&
         (!v.at_most_ratio || mine <= *v.at_most_ratio * other);
}

// Empty: the seed holds against the other's.
std::string miss_of(const Scenario& scenario, const Versus& v, const SeedResult& mine,
                    const SeedResult& other) {
  for (std::size_t i = 0; i < mine.runs.size(); ++i) {
    const std::string& variant = scenario.variants[i].name;
    if (!applies(v.variants, variant)) continue;
    const double a = mine.runs[i].measures.value(v.measure);
    const double b = other.runs[i].measures.value(v.measure);
    if (is_within(v, a, b)) continue;
    std::string bound;
    if (v.at_least_ratio) bound += fmt::format(" >= {:g}", *v.at_least_ratio);
    if (v.at_most_ratio) bound += fmt::format(" <= {:g}", *v.at_most_ratio);
    return fmt::format("{}{}{} of {}'s: {:.4g} against {:.4g}", v.measure,
                       variant.empty() ? "" : " in " + variant, bound, v.against, a, b);
  }
  return {};
}

}  // namespace

void judge_seeds_against(const Scenario& scenario, std::vector<ControllerResult>& results,
                         const std::vector<std::string>& controllers) {
  for (std::size_t ordinal = 0; ordinal < scenario.rivalries.size(); ++ordinal) {
    const Versus& v = scenario.rivalries[ordinal];
    const auto other = std::ranges::find(controllers, v.against);
    if (other == controllers.end()) continue;
    const auto& others = results[static_cast<std::size_t>(other - controllers.begin())].seeds;
    for (std::size_t c = 0; c < controllers.size(); ++c) {
      if (controllers[c] == v.against || !applies(v.controllers, controllers[c])) continue;
      for (std::size_t s = 0; s < others.size(); ++s) {
        SeedResult& seed = results[c].seeds[s];
        std::string text = miss_of(scenario, v, seed, others[s]);
        if (text.empty()) continue;
        seed.misses.push_back(text);
        seed.missed_rivalries.push_back({ordinal, std::move(text)});
      }
    }
  }
}

void judge_against(const Scenario& scenario, ControllerResult& result) {
  ControllerVerdict& verdict = result.verdict;
  if (verdict.is_expected_to_fail) return;
  for (std::size_t ordinal = 0; ordinal < scenario.rivalries.size(); ++ordinal) {
    const Versus& v = scenario.rivalries[ordinal];
    std::size_t missed = 0;
    const SeedResult* first = nullptr;
    std::string text;
    for (const SeedResult& seed : result.seeds) {
      const auto found =
          std::ranges::find(seed.missed_rivalries, ordinal, &SeedResult::MissedComparison::ordinal);
      if (found == seed.missed_rivalries.end()) continue;
      if (missed++ == 0) text = found->text;
      if (first == nullptr) first = &seed;
    }
    const double met = static_cast<double>(result.seeds.size() - missed);
    if (missed == 0 || met >= v.share * static_cast<double>(result.seeds.size())) continue;
    verdict.is_met = false;
    verdict.reasons.push_back(
        fmt::format("{}; missed by {} of {} seeds; why: {}", text, missed, result.seeds.size(), v.why));
    if (!verdict.replay) verdict.replay = first->seed;
  }
}

}  // namespace quell::lab
