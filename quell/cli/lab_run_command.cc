#include "quell/cli/lab_run_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "quell/cli/exit_code.h"
#include "quell/cli/text_output.h"
#include "quell/lab/batch.h"
#include "quell/lab/catalogue.h"
#include "quell/lab/controller_choice.h"
#include "quell/lab/outcome_report.h"
#include "quell/lab/outcome_text.h"
#include "quell/lab/shard.h"

namespace quell::cli {
namespace {

struct RunOptions {
  std::string scenario;
  std::vector<std::string> controllers;
  std::optional<std::uint32_t> seeds;
  std::optional<std::uint64_t> seed;
  unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
  std::string qlog_dir;
  std::string json;
  std::string report;
  bool measures = false;
  std::string shard;
  bool is_reduced = false;

  // As it is to be typed again.
  std::string spelling() const { return scenario + (is_reduced ? " --reduced" : ""); }
};

constexpr const char* kRunExamples = R"(Examples:
  quell lab run collapse-recovery                              all its controllers, all its seeds
  quell lab run collapse-recovery --cc cubic --seed 17 --qlog logs   one run again, with a qlog of both ends
  quell lab run mine.toml --json - --report mine.html          your own scenario, for a program and for a person

Exit codes: 0 all expectations met, 1 not, 2 wrong usage.)";

std::vector<std::uint64_t> seeds_of(const RunOptions& options, const lab::Scenario& scenario) {
  if (options.seed) return {*options.seed};
  std::vector<std::uint64_t> seeds(options.seeds.value_or(scenario.seeds));
  for (std::size_t i = 0; i < seeds.size(); ++i) seeds[i] = i + 1;
  return seeds;
}

// A line on a terminal, nothing in a pipe.
class Ticker {
 public:
  void update(std::size_t done, std::size_t total) {
    if (!is_terminal_ || (done * 100 / total == shown_ && done != total)) return;
    shown_ = done * 100 / total;
    fmt::print(stderr, "\r{} of {} runs ({} %)", done, total, shown_);
    if (done == total) fmt::print(stderr, "\r\x1b[K");
    std::fflush(stderr);
  }

 private:
  bool is_terminal_ = isatty(STDERR_FILENO) != 0;
  std::size_t shown_ = 101;
};

std::string command_of(const RunOptions& options) {
  std::string text = "quell lab run " + options.spelling();
  for (std::size_t i = 0; i < options.controllers.size(); ++i)
    text += (i == 0 ? " --cc " : ",") + options.controllers[i];
  if (options.seeds) text += fmt::format(" --seeds {}", *options.seeds);
  if (options.seed) text += fmt::format(" --seed {}", *options.seed);
  return text;
}

// Writes what was asked for; empty, or a sentence about what could not be written.
std::string deliver(const RunOptions& options, const lab::BatchRequest& request,
                    const lab::BatchResult& result) {
  // The table leaves standard output to JSON when that goes there.
  std::FILE* table_out = options.json == "-" ? stderr : stdout;
  fmt::print(table_out, "{}", lab::outcome_table(request.scenario, options.spelling(), result));
  if (options.measures) fmt::print(table_out, "\n{}", lab::measures_table(request.scenario, result));
  if (!options.json.empty()) {
    const auto error =
        write_text(options.json, lab::outcome_json(request.scenario, options.spelling(), result));
    if (!error.empty()) return error;
  }
  if (!options.report.empty()) {
    const auto report = lab::make_report(request, options.spelling(), command_of(options), result);
    if (const auto written = lab::write_report(report, options.report); !written) return written.error();
    fmt::print(table_out, "report: {}\n", options.report);
  }
  return {};
}

// Runs one part and leaves the verdict to `lab merge`.
int run_shard(const RunOptions& options, lab::BatchRequest& request) {
  const auto shard = lab::parse_shard(options.shard);
  if (!shard) {
    say_error("{}", shard.error());
    return kUsage;
  }
  const auto text = lab::scenario_text(options.scenario);
  if (!text) {
    say_error("{}", text.error());
    return kUsage;
  }
  const lab::Sweep sweep{options.scenario, *text, request.controllers, request.seeds};
  request.seeds = lab::seeds_of(*shard, sweep.seeds);
  std::vector<lab::ControllerResult> results(request.controllers.size());
  if (!request.seeds.empty()) results = lab::run_seeds(request);
  if (const auto error = write_text(options.json, lab::shard_json(sweep, *shard, results)); !error.empty()) {
    say_error("{}", error);
    return kFailed;
  }
  return kFine;
}

int run(const RunOptions& options) {
  auto scenario =
      lab::find_scenario(options.scenario, options.is_reduced ? lab::Form::reduced : lab::Form::declared);
  if (!scenario) {
    say_error("{}", scenario.error());
    return kUsage;
  }
  const auto controllers =
      lab::choose_controllers(options.controllers.empty() ? scenario->controllers : options.controllers);
  if (!controllers) {
    say_error("{}", controllers.error());
    return kUsage;
  }
  if (!options.qlog_dir.empty()) {
    std::error_code error;
    std::filesystem::create_directories(options.qlog_dir, error);
    if (error) {
      say_error("cannot make the folder {}: {}", options.qlog_dir, error.message());
      return kUsage;
    }
  }
  lab::BatchRequest request;
  request.controllers = *controllers;
  request.seeds = seeds_of(options, *scenario);
  request.scenario = std::move(*scenario);
  request.jobs = options.jobs;
  request.qlog_dir = options.qlog_dir;
  Ticker ticker;
  request.progress = [&ticker](std::size_t done, std::size_t total) { ticker.update(done, total); };
  if (!options.shard.empty()) return run_shard(options, request);
  const lab::BatchResult result = lab::run_batch(request);
  if (const auto error = deliver(options, request, result); !error.empty()) {
    say_error("{}", error);
    return kFailed;
  }
  return result.ok ? kFine : kFailed;
}

}  // namespace

void add_lab_run_command(CLI::App& lab, int& exit_code) {
  auto options = std::make_shared<RunOptions>();
  CLI::App* command = lab.add_subcommand("run", "Run a scenario and say whether what must be seen was seen");
  command->footer(kRunExamples);
  command
      ->add_option("scenario", options->scenario, "A name of 'quell lab list', or a file that ends in .toml")
      ->required();
  command
      ->add_option(
          "--cc", options->controllers,
          "Controllers, separated by commas: names, or shared libraries (./mine.so); the scenario's own "
          "if left out")
      ->delimiter(',');
  auto* seeds =
      command
          ->add_option("--seeds", options->seeds, "How many seeds, from 1 on; the scenario's own if left out")
          ->check(CLI::PositiveNumber);
  command->add_flag("--reduced", options->is_reduced,
                    "As the scenario's [reduced] table says: fewer seeds, shorter runs");
  command->add_option("--seed", options->seed, "This seed alone")->excludes(seeds);
  command->add_option("--jobs", options->jobs, "Threads; results do not depend on it")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--qlog", options->qlog_dir, "Write a qlog of both ends of every run into this folder");
  auto* json = command->add_option("--json", options->json,
                                   "Write the outcome as JSON to this file, or to standard output (-)");
  auto* report = command->add_option("--report", options->report, "Write a page with charts to this file");
  command->add_flag("--measures", options->measures,
                    "Print every measure: least, median and most over the seeds");
  command
      ->add_option(
          "--shard", options->shard,
          "Run part I of N (\"3/8\") of the seeds and write what it found with --json, for `quell lab merge`")
      ->type_name("I/N")
      ->needs(json)
      ->excludes(report)
      ->excludes("--reduced");
  command->callback([options, &exit_code] { exit_code = run(*options); });
}

}  // namespace quell::cli
