#include "quell/lab/report.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <regex>

#include "quell/lab/report_assets.h"

namespace quell::lab {
namespace {

using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;

constexpr double kPacket = 1350;
constexpr double kRtt = 0.010;

// Two seconds of loss, then growth by a packet per round trip: what a right controller does.
Series climbing() {
  Series series;
  series.end_s = 3.4;
  series.phases = {{0.05, 2.0, "30 % loss both ways"}};
  series.states = {{0, 0.05, cc::State::slow_start},
                   {0.05, 2.05, cc::State::recovery},
                   {2.05, 3.4, cc::State::congestion_avoidance}};
  double delivered = 0;
  double lost = 0;
  for (double t = 0; t < series.end_s; t += kRtt) {
    const double packets = t < 0.05 ? 10 * std::exp2(t / kRtt) : t < 2.05 ? 2 : 2 + (t - 2.05) / kRtt;
    series.cwnd.push_back({t, packets * kPacket});
    series.in_flight.push_back({t, packets * kPacket});
    series.in_flight.push_back({t + kRtt * 0.9, 0});
    if (t >= 0.05 && series.ssthresh.empty()) series.ssthresh.push_back({t, 2 * kPacket});
    delivered += packets * kPacket;
    series.delivered.push_back({t, delivered});
    if (t > 0.05 && t < 2.0 && std::fmod(t, 0.07) < kRtt) {
      series.loss_times_s.push_back(t);
      series.lost.push_back({t, lost += kPacket});
    }
  }
  return series;
}

// The same loss; afterwards recovery and avoidance change places every 14 ms and the window stays at two
// packets.
Series pinned() {
  Series series = climbing();
  series.end_s = 10;
  series.states.pop_back();
  const auto is_later = [](const Point& p) { return p.time_s > 2.05; };
  for (auto* curve : {&series.cwnd, &series.in_flight, &series.delivered}) std::erase_if(*curve, is_later);
  double delivered = series.delivered.back().value;
  for (double t = 2.05; t < series.end_s; t += 0.014) {
    series.states.push_back({t, t + 0.007, cc::State::congestion_avoidance});
    series.states.push_back({t + 0.007, t + 0.014, cc::State::recovery});
    series.in_flight.push_back({t, 2 * kPacket});
    series.in_flight.push_back({t + kRtt, 0});
    series.delivered.push_back({t, delivered += 2 * kPacket});
  }
  return series;
}

Report sample() {
  Report report;
  report.scenario = "collapse-recovery";
  report.title = "A window that must come back";
  report.story =
      "A 10 MB download over a fast path loses 30 % of its packets for two seconds.\n\nThen the path is "
      "clean & fast, "
      "and the window must grow again.";
  report.digest = "5f0c2f7a9b1d3e44";
  report.command = "quell lab run collapse-recovery --seeds 100 --report collapse.html";
  report.rows = {{.controller = "cubic",
                  .variant = {},
                  .seeds = 100,
                  .passed = 100,
                  .time_s = ReportTimes{2.61, 3.21, 3.74, 4.02},
                  .recovery_flips_median = 0,
                  .floor_time_s_median = 0.021,
                  .reasons = {},
                  .replay = {}},
                 {.controller = "reno",
                  .variant = {},
                  .seeds = 100,
                  .passed = 100,
                  .time_s = ReportTimes{2.63, 3.28, 3.81, 4.11},
                  .recovery_flips_median = 0,
                  .floor_time_s_median = 0.022,
                  .reasons = {},
                  .replay = {}},
                 {.controller = "cubic-quiche-2020",
                  .variant = {},
                  .is_expected_to_fail = true,
                  .seeds = 100,
                  .passed = 4,
                  .time_s = ReportTimes{3.4, 10, 10, 10},
                  .recovery_flips_median = 571,
                  .floor_time_s_median = 7.94,
                  .reasons = {"96 seeds did not complete within 10 s",
                              "96 seeds: recovery_flips is 571, must be at most 2"},
                  .replay = "quell lab run collapse-recovery --cc cubic-quiche-2020 --seed 1"}};
  report.runs = {{.controller = "cubic",
                  .variant = {},
                  .seed = 1,
                  .passed = true,
                  .verdict = "Done after 3.21 s; no recovery entered after the last loss.",
                  .replay = "quell lab run collapse-recovery --cc cubic --seed 1",
                  .series = climbing()},
                 {.controller = "cubic-quiche-2020",
                  .variant = {},
                  .seed = 1,
                  .passed = false,
                  .verdict = "Not done after 10 s: 571 recoveries without a loss, 7.94 s at two packets.",
                  .replay = "quell lab run collapse-recovery --cc cubic-quiche-2020 --seed 1",
                  .series = pinned()}};
  return report;
}

// What stands between `begin` and the next `end`; the whole rest without one.
std::string between(const std::string& text, const std::string& begin, const std::string& end) {
  const std::size_t from = text.find(begin);
  if (from == std::string::npos) return {};
  return text.substr(from + begin.size(), text.find(end, from + begin.size()) - from - begin.size());
}

Json data_of(const std::string& page) {
  return Json::parse(between(page, R"(<script type="application/json" id="data">)", "</script>"));
}

// The page without the packaged library, which is not ours to judge.
std::string without_library(std::string page) {
  for (const EmbeddedFile& file : report_files()) {
    if (file.name != "dygraph") continue;
    const std::string_view head = file.content.substr(0, 1000);
    const std::size_t from = page.find(head);
    EXPECT_NE(from, std::string::npos);
    page.erase(from, page.find("</script>", from) - from);
  }
  return page;
}

TEST(Report, IsOneFileThatAsksForNoOther) {
  const std::string page = without_library(render_report(sample()));
  const std::regex outside(
      R"(https?://|\bsrc\s*=|<link\b|@import|url\(|\bfetch\(|XMLHttpRequest|\bimport\()");
  std::smatch match;
  EXPECT_FALSE(std::regex_search(page, match, outside)) << match.str();
  EXPECT_THAT(render_report(sample()), Not(HasSubstr("sourceMappingURL")));
}

TEST(Report, CarriesTheChartsThatItDraws) {
  EXPECT_THAT(render_report(sample()), HasSubstr("Dygraph="));
}

TEST(Report, FillsEveryPlaceOfThePage) {
  const std::string page = without_library(render_report(sample()));
  EXPECT_FALSE(std::regex_search(page, std::regex(R"(\{\{[a-z_]+\}\})")));
}

TEST(Report, TheSameResultsMakeTheSamePage) {
  EXPECT_EQ(render_report(sample()), render_report(sample()));
}

TEST(Report, TheTableReadsWithoutScripts) {
  const std::string body = between(render_report(sample()), "<tbody>", "</tbody>");
  EXPECT_EQ(std::ranges::count(body, '\n'), 4);  // a line per controller, and the one before the first
  EXPECT_THAT(body, HasSubstr("100 of 100"));
  EXPECT_THAT(body, HasSubstr(R"(class="number strong">3.21</td>)"));
  EXPECT_THAT(body, HasSubstr("must be at most 2</li>"));
}

TEST(Report, AControllerThatNeverFinishedHasDashesForTimes) {
  Report report = sample();
  report.rows[2].time_s.reset();
  report.rows[2].recovery_flips_median.reset();
  EXPECT_THAT(between(render_report(report), "cubic-quiche-2020", "</tr>"), HasSubstr("–"));
}

TEST(Report, CarriesTheCurvesOfEveryRun) {
  const Json data = data_of(render_report(sample()));
  ASSERT_EQ(data.at("runs").size(), 2);
  const Json& series = data["runs"][1]["series"];
  for (const auto* curve : {"cwnd", "in_flight", "ssthresh", "delivered", "lost"}) {
    ASSERT_EQ(series.at(curve).size(), 2) << curve;
    EXPECT_EQ(series[curve][0].size(), series[curve][1].size()) << curve;
  }
  EXPECT_EQ(series.at("losses_total"), pinned().loss_times_s.size());
  EXPECT_EQ(series.at("phases")[0][2], "30 % loss both ways");
}

TEST(Report, AMillionPointsBecomeAPageOfBoundedSize) {
  Report report = sample();
  auto& cwnd = report.runs[0].series.cwnd;
  cwnd.clear();
  for (int i = 0; i < 1'000'000; ++i) cwnd.push_back({i * 3.4e-6, i % 2 == 0 ? 2700.0 : 5400.0});
  EXPECT_LE(data_of(render_report(report))["runs"][0]["series"]["cwnd"][0].size(), 6000);
}

TEST(Report, TextFromOutsideCannotBecomeMarkup) {
  Report report = sample();
  report.title = "<b>&\"{{rows}}";
  report.runs[0].verdict = "</script><script>alert(1)</script>";
  report.rows[0].reasons = {"<img>"};
  report.runs[0].series.phases[0].label = "\xff not UTF-8";
  const std::string page = render_report(report);
  EXPECT_THAT(page, HasSubstr("<h1>&lt;b&gt;&amp;&quot;{{rows}}</h1>"));
  EXPECT_THAT(page, Not(HasSubstr("<script>alert")));
  EXPECT_THAT(page, Not(HasSubstr("<img>")));
  EXPECT_EQ(data_of(page)["runs"][0]["verdict"], report.runs[0].verdict);
}

TEST(Report, AnEmptyReportIsStillAPage) {
  const Json data = data_of(render_report({}));
  EXPECT_TRUE(data.at("runs").empty());
}

TEST(Report, AFileThatCannotBeWrittenIsAnErrorThatNamesIt) {
  const auto written = write_report(sample(), testing::TempDir() + "no/such/place.html");
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error(), HasSubstr("no/such/place.html"));
}

// The sample stays behind in the test's directory, to be looked at in a browser.
TEST(Report, IsWrittenWhole) {
  const std::string path = testing::TempDir() + "quell_report_sample.html";
  ASSERT_TRUE(write_report(sample(), path));
  std::ifstream file(path, std::ios::binary);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  EXPECT_EQ(text, render_report(sample()));
}

}  // namespace
}  // namespace quell::lab
