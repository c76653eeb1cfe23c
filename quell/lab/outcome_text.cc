#include "quell/lab/outcome_text.h"

#include <fmt/format.h>

#include <map>
#include <nlohmann/json.hpp>

#include "quell/lab/controller_choice.h"
#include "quell/lab/limits.h"
#include "quell/sim/digest.h"

namespace quell::lab {
namespace {

std::string table_row(const std::string& name, const std::string& expected, const std::string& passed,
                      const Figures& f) {
  return fmt::format("{:<34} {:<8} {:>11}  {:>7.3f} {:>7.3f} {:>7.3f} {:>7.3f}  {:>6g}  {:>8.3f}\n", name,
                     expected, passed, f.min, f.median, f.p90, f.max, f.flips, f.floor_s);
}

nlohmann::ordered_json json_of(const Figures& f) {
  return {{"time_s", {{"min", f.min}, {"median", f.median}, {"p90", f.p90}, {"max", f.max}}},
          {"recovery_flips_median", f.flips},
          {"floor_time_s_median", f.floor_s}};
}

nlohmann::ordered_json json_of(const Scenario& scenario, const std::string& name,
                               const ControllerResult& controller) {
  const ControllerVerdict& v = controller.verdict;
  nlohmann::ordered_json row = {{"cc", v.controller},
                                {"expected", v.is_expected_to_fail ? "fail" : "pass"},
                                {"ok", v.is_met},
                                {"seeds", v.seeds},
                                {"passed", v.passed}};
  row.update(json_of(figures_of(controller, scenario.variants.size())));
  row["reasons"] = v.reasons;
  if (v.replay) row["replay"] = replay_command(name, v.controller, *v.replay);
  if (scenario.variants.size() == 1) {
    row["limited_by"] = limits_text(controller, 0);
    return row;
  }
  for (std::size_t i = 0; i < scenario.variants.size(); ++i) {
    nlohmann::ordered_json variant = {{"variant", scenario.variants[i].name}};
    variant.update(json_of(figures_of(controller, i)));
    variant["limited_by"] = limits_text(controller, i);
    row["variants"].push_back(std::move(variant));
  }
  return row;
}

}  // namespace

Figures figures_of(const ControllerResult& controller, std::size_t variant) {
  const auto times = values_of(controller.seeds, variant, "completion_s");
  return {.min = quantile(times, 1e-9),
          .median = quantile(times, 0.5),
          .p90 = quantile(times, 0.9),
          .max = quantile(times, 1),
          .flips = quantile(values_of(controller.seeds, variant, "recovery_flips"), 0.5),
          .floor_s = quantile(values_of(controller.seeds, variant, "floor_s"), 0.5)};
}

std::string replay_command(const std::string& name, const std::string& controller, std::uint64_t seed) {
  return fmt::format("quell lab run {} --cc {} --seed {}", name, spelling_of(controller), seed);
}

std::string limits_text(const ControllerResult& controller, std::size_t variant) {
  if (controller.seeds.size() == 1) return describe_limits(controller.seeds.front().runs[variant].measures);
  std::map<Limit, std::size_t> counts;
  for (const SeedResult& seed : controller.seeds) ++counts[binding_limit(seed.runs[variant].measures)];
  std::string text;
  for (const auto& [limit, count] : counts) {
    text += fmt::format("{}{} in {} of {}", text.empty() ? "" : ", ", to_string(limit), count,
                        controller.seeds.size());
  }
  return text;
}

std::string measures_table(const Scenario& scenario, const BatchResult& result) {
  std::string text;
  for (const ControllerResult& controller : result.controllers) {
    for (std::size_t i = 0; i < scenario.variants.size(); ++i) {
      text += fmt::format("{} {}\n", controller.verdict.controller, scenario.variants[i].name);
      for (const auto name : measure_list()) {
        const auto values = values_of(controller.seeds, i, name);
        text += fmt::format("  {:<24} {:>12.6g} {:>12.6g} {:>12.6g}  {}\n", name, quantile(values, 1e-9),
                            quantile(values, 0.5), quantile(values, 1), meaning_of(name));
      }
    }
  }
  return fmt::format("{:<26} {:>12} {:>12} {:>12}\n", "", "least", "median", "most") + text;
}

std::string outcome_table(const Scenario& scenario, const std::string& name, const BatchResult& result) {
  std::string text = fmt::format("{}: {}\n\n", scenario.name, scenario.title);
  text += fmt::format("{:<34} {:<8} {:>11}  {:^31}  {:>6}  {:>8}\n", "", "", "", "completion, s", "flips",
                      "at floor");
  text += fmt::format("{:<34} {:<8} {:>11}  {:>7} {:>7} {:>7} {:>7}  {:>6}  {:>8}\n", "controller",
                      "expected", "passed", "min", "median", "p90", "max", "median", "median s");
  for (const ControllerResult& controller : result.controllers) {
    const ControllerVerdict& v = controller.verdict;
    text +=
        table_row(v.controller, v.is_expected_to_fail ? "fail" : "pass",
                  fmt::format("{}/{}", v.passed, v.seeds), figures_of(controller, scenario.variants.size()));
    for (std::size_t i = 0; scenario.variants.size() > 1 && i < scenario.variants.size(); ++i) {
      text += table_row("  " + scenario.variants[i].name, "", "", figures_of(controller, i));
    }
  }
  text += "\n";
  for (const ControllerResult& controller : result.controllers) {
    for (std::size_t i = 0; i < scenario.variants.size(); ++i) {
      const std::string& variant = scenario.variants[i].name;
      const std::string who = controller.verdict.controller + (variant.empty() ? "" : " " + variant);
      text += fmt::format("{:<34} limited by {}\n", who, limits_text(controller, i));
    }
  }
  text += "\n";
  for (const ControllerResult& controller : result.controllers) {
    const ControllerVerdict& v = controller.verdict;
    for (const auto& reason : v.reasons) text += fmt::format("NOT MET  {}: {}\n", v.controller, reason);
    if (v.replay) text += fmt::format("  replay: {}\n", replay_command(name, v.controller, *v.replay));
  }
  text += fmt::format("{}; digest {}\n", result.ok ? "all expectations met" : "expectations were not met",
                      sim::to_hex(result.digest));
  return text;
}

std::string outcome_json(const Scenario& scenario, const std::string& name, const BatchResult& result) {
  nlohmann::ordered_json root = {
      {"scenario", scenario.name}, {"digest", sim::to_hex(result.digest)}, {"ok", result.ok}};
  root["results"] = nlohmann::ordered_json::array();
  for (const ControllerResult& controller : result.controllers) {
    root["results"].push_back(json_of(scenario, name, controller));
  }
  return root.dump(2, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace quell::lab
