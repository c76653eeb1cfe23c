// How does a person see what the laboratory found? One HTML file that needs no network: the table, and the
// runs side by side.
#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <vector>

#include "quell/lab/series.h"

namespace quell::lab {

// Over the seeds that finished, in seconds.
struct ReportTimes {
  double min = 0;
  double median = 0;
  double p90 = 0;
  double max = 0;
};

// A line of the table: one controller (and variant, where a scenario has several) over all seeds.
struct ReportRow {
  std::string controller;
  std::string variant;  // may be empty
  bool is_expected_to_fail = false;
  bool is_met = true;  // the expectation, whichever it was
  std::uint64_t seeds = 0;
  std::uint64_t passed = 0;
  std::optional<ReportTimes> time_s;  // nothing: no seed finished
  std::optional<double> recovery_flips_median;
  std::optional<double> floor_time_s_median;
  std::vector<std::string> reasons;  // one line per failed expectation
  std::string replay;                // the command that replays the first failing seed; may be empty
};

// A picture: one run. Runs are shown in the order given, side by side where the screen is wide enough.
struct ReportRun {
  std::string controller;
  std::string variant;
  std::uint64_t seed = 0;
  bool passed = true;   // this seed met the bounds
  std::string verdict;  // a sentence
  std::string replay;   // the command that makes this run again; may be empty
  Series series;        // as recorded; thinned here
};

struct Report {
  std::string scenario;
  std::string title;
  std::string story;    // plain text; empty lines part paragraphs
  std::string digest;   // may be empty
  std::string command;  // that made the report; may be empty
  bool ok = true;       // all expectations met
  std::vector<ReportRow> rows;
  std::vector<ReportRun> runs;
};

// The whole page, UTF-8. The same report makes the same bytes.
std::string render_report(const Report& report);

// Writes it to `path`. Error: a sentence that names the path and the reason.
std::expected<void, std::string> write_report(const Report& report, const std::string& path);

}  // namespace quell::lab
