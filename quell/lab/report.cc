#include "quell/lab/report.h"

#include <fmt/format.h>

#include <cerrno>
#include <cmath>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>

#include "quell/base/check.h"
#include "quell/lab/report_assets.h"
#include "quell/lab/thinning.h"

namespace quell::lab {
namespace {

using Json = nlohmann::ordered_json;

// Choice: 2,000 buckets show every pixel of a wide screen and leave a factor of two or three for zooming in.
constexpr std::size_t kBuckets = 2000;

std::string escape(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (const char c : text) {
    switch (c) {
      case '&':
        out += "&amp;";
        break;
      case '<':
        out += "&lt;";
        break;
      case '>':
        out += "&gt;";
        break;
      case '"':
        out += "&quot;";
        break;
      default:
        out += c;
    }
  }
  return out;
}

std::string name_of(const std::string& controller, const std::string& variant) {
  return variant.empty() ? controller : controller + " · " + variant;
}

std::string paragraphs(std::string_view text) {
  std::string out;
  while (!text.empty()) {
    const std::size_t end = text.find("\n\n");
    const std::string_view paragraph = text.substr(0, end);
    if (paragraph.find_first_not_of(" \n") != std::string_view::npos) {
      out += fmt::format("<p>{}</p>\n", escape(paragraph));
    }
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 2);
  }
  return out;
}

// Three significant digits, never in exponents: "3.21", "0.065", "998".
std::string figure(double value) {
  if (value == 0) return "0";
  const int whole = static_cast<int>(std::floor(std::log10(std::abs(value))));
  return fmt::format("{:.{}f}", value, whole >= 2 ? 0 : whole >= 0 ? 2 - whole : 3);
}
std::string figure(const std::optional<double>& value) {
  return value ? figure(*value) : "–";
}

std::string badge(bool good, std::string_view text) {
  return fmt::format(R"(<span class="badge {}">{}</span>)", good ? "good" : "bad", escape(text));
}

std::string reasons_of(const ReportRow& row) {
  std::string out;
  for (const std::string& reason : row.reasons) out += fmt::format("<li>{}</li>", escape(reason));
  if (!out.empty()) out = "<ul>" + out + "</ul>";
  if (!row.replay.empty()) out += fmt::format("<code>{}</code>", escape(row.replay));
  return out;
}

std::string table_row(const ReportRow& row) {
  const ReportTimes times = row.time_s.value_or(ReportTimes{});
  const auto time = [&](double value) { return row.time_s ? figure(value) : std::string("–"); };
  const double share = row.seeds == 0 ? 0 : static_cast<double>(row.passed) / static_cast<double>(row.seeds);
  std::string cells;
  const auto cell = [&](std::string_view name, std::string_view kind, const std::string& content) {
    cells += fmt::format(R"(<td data-name="{}" class="{}">{}</td>)", name, kind, content);
  };
  cell("should", "", row.is_expected_to_fail ? "fail" : "pass");
  cell("did", "", badge(row.is_met, row.is_met ? "as expected" : "not as expected"));
  cell(
      "seeds passed", "number",
      fmt::format(R"({} of {}<meter min="0" max="1" value="{:.4f}"></meter>)", row.passed, row.seeds, share));
  cell("fastest, s", "number", time(times.min));
  cell("median, s", "number strong", time(times.median));
  cell("p90, s", "number", time(times.p90));
  cell("slowest, s", "number", time(times.max));
  cell("recovery flips", "number", figure(row.recovery_flips_median));
  cell("at the floor, s", "number", figure(row.floor_time_s_median));
  return fmt::format(R"(<tr><th scope="row">{}</th>{}<td class="reasons">{}</td></tr>)"
                     "\n",
                     escape(name_of(row.controller, row.variant)), cells, reasons_of(row));
}

// To the microsecond and the byte: more digits would only make the page larger.
double rounded(double value, double unit) {
  return std::round(value * unit) / unit;
}

Json curve_json(const std::vector<Point>& curve) {
  Json times = Json::array();
  Json values = Json::array();
  for (const Point& point : curve) {
    times.push_back(rounded(point.time_s, 1e6));
    values.push_back(static_cast<std::int64_t>(std::llround(point.value)));
  }
  return Json::array({std::move(times), std::move(values)});
}

Json series_json(const Series& full) {
  const Series series = thin(full, kBuckets);
  Json states = Json::array();
  for (const auto& s : series.states) {
    states.push_back({rounded(s.from_s, 1e6), rounded(s.to_s, 1e6), cc::to_string(s.state)});
  }
  Json phases = Json::array();
  for (const auto& p : series.phases)
    phases.push_back({rounded(p.from_s, 1e6), rounded(p.to_s, 1e6), p.label});
  Json losses = Json::array();
  for (const double time : series.loss_times_s) losses.push_back(rounded(time, 1e6));
  return {{"end", rounded(series.end_s, 1e6)},
          {"cwnd", curve_json(series.cwnd)},
          {"in_flight", curve_json(series.in_flight)},
          {"ssthresh", curve_json(series.ssthresh)},
          {"delivered", curve_json(series.delivered)},
          {"lost", curve_json(series.lost)},
          {"states", std::move(states)},
          {"losses", std::move(losses)},
          {"losses_total", full.loss_times_s.size()},
          {"phases", std::move(phases)}};
}

// JSON inside a script element: no text of ours may end the element.
std::string data_block(const Report& report) {
  Json runs = Json::array();
  for (const ReportRun& run : report.runs) {
    runs.push_back({{"name", name_of(run.controller, run.variant)},
                    {"seed", run.seed},
                    {"passed", run.passed},
                    {"verdict", run.verdict},
                    {"replay", run.replay},
                    {"series", series_json(run.series)}});
  }
  const Json data{{"scenario", report.scenario}, {"ok", report.ok}, {"runs", std::move(runs)}};
  std::string out;
  for (const char c : data.dump(-1, ' ', false, Json::error_handler_t::replace)) {
    if (c == '<') {
      out += "\\u003c";
    } else {
      out += c;
    }
  }
  return out;
}

std::string facts(const Report& report) {
  std::string out;
  const auto fact = [&](std::string_view name, const std::string& value) {
    if (!value.empty()) out += fmt::format("<dt>{}</dt><dd><code>{}</code></dd>", name, escape(value));
  };
  fact("Scenario", report.scenario);
  fact("Digest", report.digest);
  fact("Made by", report.command);
  return out;
}

// The library ends with a pointer to a file that the page does not carry; browsers' tools would ask for it.
std::string_view without_source_map(std::string_view script) {
  return script.substr(0, script.rfind("//# sourceMappingURL"));
}

std::string_view asset(std::string_view name) {
  for (const EmbeddedFile& file : report_files()) {
    if (file.name == name) return without_source_map(file.content);
  }
  QUELL_CHECK(!"an asset of the report page is missing");
  return {};
}

// Fills the `{{name}}` places of the page in one pass, so that filled-in text is never searched again. A name
// that is not among `values` is an asset's.
std::string fill(std::string_view page, const std::map<std::string_view, std::string>& values) {
  std::string out;
  while (true) {
    const std::size_t open = page.find("{{");
    out += page.substr(0, open);
    if (open == std::string_view::npos) return out;
    const std::size_t close = page.find("}}", open);
    const std::string_view name = page.substr(open + 2, close - open - 2);
    const auto value = values.find(name);
    out += value != values.end() ? std::string_view(value->second) : asset(name);
    page.remove_prefix(close + 2);
  }
}

}  // namespace

std::string render_report(const Report& report) {
  std::string rows;
  for (const ReportRow& row : report.rows) rows += table_row(row);
  return fill(asset("page"),
              {{"title", escape(report.title.empty() ? report.scenario : report.title)},
               {"verdict", badge(report.ok, report.ok ? "all expectations met" : "expectations failed")},
               {"story", paragraphs(report.story)},
               {"facts", facts(report)},
               {"rows", rows},
               {"data", data_block(report)}});
}

std::expected<void, std::string> write_report(const Report& report, const std::string& path) {
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  if (file) {
    const std::string page = render_report(report);
    file.write(page.data(), static_cast<std::streamsize>(page.size()));
    file.close();
  }
  if (file) return {};
  return std::unexpected(fmt::format("cannot write the report {}: {}", path,
                                     std::error_code(errno, std::generic_category()).message()));
}

}  // namespace quell::lab
