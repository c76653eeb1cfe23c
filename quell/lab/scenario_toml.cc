#include "quell/lab/scenario_toml.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "quell/cc/registry.h"
#include "quell/lab/measures.h"
#include "quell/lab/toml_reader.h"
#include "quell/lab/variant_toml.h"

namespace quell::lab {
namespace {

constexpr std::string_view kVariantTables[] = {"path", "host", "transport", "load",
                                               "lies", "flow", "measure",   "limits"};

// Lays `over` upon `base`: tables merge, all else replaces. Nodes are moved, because only that keeps their
// place in the file.
void lay_over(toml::table& base, toml::table&& over) {
  for (auto&& [key, node] : over) {
    toml::node* below = base.get(key);
    if (below != nullptr && below->is_table() && node.is_table()) {
      lay_over(*below->as_table(), std::move(*node.as_table()));
    } else if (node.is_table()) {
      base.insert_or_assign(key, std::move(*node.as_table()));
    } else if (node.is_array()) {
      base.insert_or_assign(key, std::move(*node.as_array()));
    } else {
      node.visit([&](auto& leaf) { base.insert_or_assign(key, std::move(leaf)); });
    }
  }
}

// Nothing when it is not TOML; the problem is then reported.
std::optional<toml::table> parse_text(std::string_view text, TomlProblem& problem) {
  try {
    return toml::parse(text, problem.file);
  } catch (const toml::parse_error& error) {
    problem.report(error.source(), std::string{error.description()});
    return std::nullopt;
  }
}

// [reduced] is laid over the rest, or left out.
void choose_form(toml::table& top, Form form) {
  toml::node* node = top.get("reduced");
  if (node == nullptr || !node->is_table()) return;
  toml::table reduced = std::move(*node->as_table());
  top.erase("reduced");
  if (form == Form::reduced) lay_over(top, std::move(reduced));
}

void read_names(TomlReader& in, std::string_view key, std::vector<std::string>& target,
                const std::function<bool(const std::string&)>& exists, const char* what) {
  in.read(key, target);
  for (const auto& name : target) {
    if (!exists(name)) in.complain(key, fmt::format("there is no {} \"{}\"", what, name));
  }
}

class ScenarioReader {
 public:
  ScenarioReader(std::string_view text, Form form, TomlProblem& problem)
      : text_(text), form_(form), problem_(problem) {}

  Scenario read() {
    auto parsed = parse_text(text_, problem_);
    if (!parsed) return {};
    choose_form(*parsed, form_);
    TomlReader top{*parsed, "the scenario", problem_};
    read_head(top);
    read_variants(top);
    top.each("expect", [&](TomlReader& in) { read_expectation(in); });
    top.each("compare", [&](TomlReader& in) { read_comparison(in); });
    top.each("versus", [&](TomlReader& in) { read_versus(in); });
    top.each("expect_failure", [&](TomlReader& in) { read_expected_failure(in); });
    top.finish();
    return std::move(scenario_);
  }

 private:
  void read_head(TomlReader& top) {
    for (const char* key : {"name", "title", "controllers"}) top.require(key);
    top.read("name", scenario_.name);
    top.read("title", scenario_.title);
    top.read("story", scenario_.story);
    top.read("seeds", scenario_.seeds);
    if (scenario_.seeds == 0) top.complain("seeds", "must be at least 1");
    read_controllers(top, scenario_.controllers);
  }

  // Every variant is the whole file with the variant's tables laid over it, parsed afresh.
  void read_variants(TomlReader& top) {
    std::vector<std::string> names;
    top.each("variant", [&](TomlReader& in) {
      in.require("name");
      in.read("name", names.emplace_back());
      for (const auto table : kVariantTables) in.skip(table);
    });
    if (names.empty()) {
      scenario_.variants.emplace_back();
      read_variant(top, scenario_.variants.back());
    }
    for (const auto table : kVariantTables) top.skip(table);
    for (std::size_t i = 0; i < names.size() && !problem_.text; ++i) read_laid_over(i, names[i]);
  }

  void read_laid_over(std::size_t ordinal, const std::string& name) {
    auto parsed = parse_text(text_, problem_);
    toml::table& base = *parsed;
    choose_form(base, form_);
    toml::table over = std::move(*base["variant"].as_array()->get(ordinal)->as_table());
    over.erase("name");
    lay_over(base, std::move(over));
    TomlReader in{base, fmt::format("variant \"{}\"", name), problem_};
    scenario_.variants.emplace_back();
    scenario_.variants.back().name = name;
    read_variant(in, scenario_.variants.back());
  }

  void read_controllers(TomlReader& in, std::vector<std::string>& target) {
    read_names(
        in, "controllers", target, [](const std::string& name) { return cc::find(name) != nullptr; },
        "controller");
  }

  void read_variant_names(TomlReader& in, std::vector<std::string>& target) {
    const auto exists = [&](const std::string& name) {
      return std::ranges::any_of(scenario_.variants, [&](const Variant& v) { return v.name == name; });
    };
    read_names(in, "variants", target, exists, "variant");
  }

  void check_measure(TomlReader& in, const std::string& name) {
    if (problem_.text || is_measure(name)) return;
    in.complain("measure", fmt::format("there is no measure \"{}\"; there are: {}", name, measure_names()));
  }

  void read_expectation(TomlReader& in) {
    Expectation& e = scenario_.expectations.emplace_back();
    in.require("measure");
    in.require("why");
    in.read("measure", e.measure);
    check_measure(in, e.measure);
    in.read_enum<Statistic>("statistic", e.statistic,
                            {{"each", Statistic::each},
                             {"median", Statistic::median},
                             {"p90", Statistic::p90},
                             {"max", Statistic::max}});
    in.read_bound("at_least", e.at_least);
    in.read_bound("at_most", e.at_most);
    if (!e.at_least && !e.at_most) in.complain("measure", "needs a bound: at_least or at_most");
    in.read("share", e.share);
    read_controllers(in, e.controllers);
    read_variant_names(in, e.variants);
    in.read("why", e.why);
  }

  void read_comparison(TomlReader& in) {
    Comparison& c = scenario_.comparisons.emplace_back();
    in.require("variants");
    in.require("why");
    read_variant_names(in, c.variants);
    if (c.variants.size() < 2) in.complain("variants", "needs two or more");
    in.read_enum<Comparison::Alignment>("align", c.alignment,
                                        {{"anchor", Comparison::Alignment::anchor},
                                         {"each-rtt", Comparison::Alignment::each_rtt},
                                         {"silence-cut", Comparison::Alignment::silence_cut}});
    in.read("rtts", c.rtts);
    in.read("within_ratio", c.within_ratio);
    in.read("within_packets", c.within_packets);
    if (!c.within_ratio && !c.within_packets) {
      in.complain("variants", "needs a bound: within_ratio or within_packets");
    }
    read_controllers(in, c.controllers);
    in.read("why", c.why);
  }

  void read_versus(TomlReader& in) {
    Versus& v = scenario_.rivalries.emplace_back();
    for (const char* key : {"against", "measure", "why"}) in.require(key);
    in.read("against", v.against);
    if (!problem_.text && cc::find(v.against) == nullptr) {
      in.complain("against", fmt::format("there is no controller \"{}\"", v.against));
    }
    in.read("measure", v.measure);
    check_measure(in, v.measure);
    in.read("at_least_ratio", v.at_least_ratio);
    in.read("at_most_ratio", v.at_most_ratio);
    if (!v.at_least_ratio && !v.at_most_ratio) {
      in.complain("measure", "needs a bound: at_least_ratio or at_most_ratio");
    }
    in.read("share", v.share);
    read_controllers(in, v.controllers);
    read_variant_names(in, v.variants);
    in.read("why", v.why);
  }

  void read_expected_failure(TomlReader& in) {
    ExpectedFailure& f = scenario_.expected_failures.emplace_back();
    in.read("fault", f.fault);
    if (f.fault.empty()) in.require("controller");
    in.read("controller", f.controller);
    if (!in.has("controller") && !scenario_.controllers.empty()) f.controller = scenario_.controllers.front();
    if (!problem_.text && cc::find(f.controller) == nullptr) {
      in.complain("controller", fmt::format("there is no controller \"{}\"", f.controller));
    }
    in.read("at_least", f.at_least);
    in.read("by", f.by);
    in.read("why", f.why);
  }

  std::string_view text_;
  Form form_;
  TomlProblem& problem_;
  Scenario scenario_;
};

}  // namespace

std::expected<Scenario, std::string> parse_scenario(std::string_view text, const std::string& file,
                                                    Form form) {
  TomlProblem problem{file, std::nullopt};
  Scenario scenario = ScenarioReader{text, form, problem}.read();
  if (problem.text) return std::unexpected(*problem.text);
  return scenario;
}

}  // namespace quell::lab
