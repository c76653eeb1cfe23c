#include "quell/lab/scenario_writer.h"

#include "quell/lab/toml_writer.h"
#include "quell/lab/variant_writer.h"

namespace quell::lab {
namespace {

void write_expectation(TomlWriter& out, const Expectation& e) {
  const Expectation omitted;
  out.item("expect");
  out.write("controllers", e.controllers);
  out.write("variants", e.variants);
  out.write("measure", e.measure);
  out.write_enum<Statistic>(
      "statistic", e.statistic, omitted.statistic,
      {{"median", Statistic::median}, {"p90", Statistic::p90}, {"max", Statistic::max}});
  out.write("at_least", e.at_least);
  out.write("at_most", e.at_most);
  out.write("share", e.share, omitted.share);
  out.write("why", std::optional{e.why});
}

void write_comparison(TomlWriter& out, const Comparison& c) {
  const Comparison omitted;
  out.item("compare");
  out.write("variants", c.variants);
  out.write_enum<Comparison::Alignment>(
      "align", c.alignment, omitted.alignment,
      {{"each-rtt", Comparison::Alignment::each_rtt}, {"silence-cut", Comparison::Alignment::silence_cut}});
  out.write("rtts", std::uint64_t{c.rtts}, std::uint64_t{omitted.rtts});
  out.write("within_ratio", c.within_ratio);
  out.write("within_packets", c.within_packets);
  out.write("controllers", c.controllers);
  out.write("why", std::optional{c.why});
}

void write_versus(TomlWriter& out, const Versus& v) {
  const Versus omitted;
  out.item("versus");
  out.write("controllers", v.controllers);
  out.write("against", std::optional{v.against});
  out.write("variants", v.variants);
  out.write("measure", v.measure);
  out.write("at_least_ratio", v.at_least_ratio);
  out.write("at_most_ratio", v.at_most_ratio);
  out.write("share", v.share, omitted.share);
  out.write("why", std::optional{v.why});
}

void write_expected_failure(TomlWriter& out, const ExpectedFailure& f) {
  const ExpectedFailure omitted;
  out.item("expect_failure");
  out.write("controller", std::optional{f.controller});
  out.write("fault", f.fault);
  out.write("at_least", f.at_least, omitted.at_least);
  out.write("by", f.by);
  out.write("why", f.why);
}

}  // namespace

std::string write_scenario(const Scenario& scenario) {
  TomlWriter out;
  out.write("name", std::optional{scenario.name});
  out.write("title", std::optional{scenario.title});
  out.write("story", scenario.story);
  out.write_all("controllers", scenario.controllers);
  out.write("seeds", std::uint64_t{scenario.seeds}, std::uint64_t{Scenario{}.seeds});
  if (scenario.variants.size() == 1 && scenario.variants[0].name.empty()) {
    write_variant(out, "", scenario.variants[0]);
  } else {
    for (const Variant& variant : scenario.variants) {
      out.item("variant");
      out.write("name", std::optional{variant.name});
      write_variant(out, "variant.", variant);
    }
  }
  for (const Expectation& e : scenario.expectations) write_expectation(out, e);
  for (const Comparison& c : scenario.comparisons) write_comparison(out, c);
  for (const Versus& v : scenario.rivalries) write_versus(out, v);
  for (const ExpectedFailure& f : scenario.expected_failures) write_expected_failure(out, f);
  return out.text();
}

}  // namespace quell::lab
