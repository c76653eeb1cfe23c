#include "quell/cli/lab_specimens_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "quell/cli/child_output.h"
#include "quell/cli/exit_code.h"
#include "quell/cli/text_output.h"
#include "quell/lab/catalogue.h"

namespace quell::cli {
namespace {

constexpr const char* kExamples = R"(Examples:
  quell lab specimens                                  every specimen where it must be caught
  quell lab specimens --only cubic-time-west --all     which other scenarios notice this one?

A faulty controller runs in this program. A faulty rule of recovery needs a recovery of its own: the program
quell-lab-faults, which stands beside this one, tries those.
Exit codes: 0 all caught, 1 one has escaped, 2 wrong usage.)";

// One that is none of ours may be one of the other program's.
bool is_ours(const std::string& name) {
  return std::ranges::any_of(lab::controller_specimens(),
                             [&](const lab::SpecimenCase& c) { return c.name == name; });
}

// Nothing is left to ask the other program when each specimen that was named is ours.
bool wants_recovery(const SpecimensOptions& options) {
  return options.only.empty() || !std::ranges::all_of(options.only, is_ours);
}

std::vector<std::string> arguments_for_recovery(const SpecimensOptions& options) {
  std::vector<std::string> arguments{
      "--json", "-", "--jobs", std::to_string(options.jobs), "--seeds", std::to_string(options.seeds)};
  if (options.all_scenarios) arguments.emplace_back("--all");
  for (const std::string& name : options.only) {
    if (!is_ours(name)) arguments.insert(arguments.end(), {"--only", name});
  }
  return arguments;
}

std::expected<std::vector<lab::SpecimenResult>, std::string> try_recovery(const SpecimensOptions& options) {
  std::error_code error;
  const auto self = std::filesystem::read_symlink("/proc/self/exe", error);
  const auto program = self.parent_path() / "quell-lab-faults";
  if (error || access(program.c_str(), X_OK) != 0) {
    return std::unexpected(
        fmt::format("there is no {}: it tries the faults of recovery; build the target quell-lab-faults",
                    program.string()));
  }
  const auto output = child_output(program.string(), arguments_for_recovery(options));
  if (!output) return std::unexpected(output.error());
  if (output->exit_code == kUsage) return std::unexpected("");  // it has said why
  auto results = lab::read_specimens_json(output->text);
  if (!results) return std::unexpected("quell-lab-faults gave no results: " + results.error());
  return results;
}

int specimens(const SpecimensOptions& options) {
  lab::SpecimensRequest request = specimens_request(options, lab::controller_specimens());
  auto results = lab::try_specimens(request);
  if (wants_recovery(options)) {
    const auto more = try_recovery(options);
    if (!more) {
      if (!more.error().empty()) say_error("{}", more.error());
      return kUsage;
    }
    results.insert(results.end(), more->begin(), more->end());
  }
  return deliver_specimens(options, results);
}

}  // namespace

std::shared_ptr<SpecimensOptions> add_specimens_options(CLI::App& command) {
  auto options = std::make_shared<SpecimensOptions>();
  command.add_option("--only", options->only, "These specimens, separated by commas")->delimiter(',');
  command.add_option("--seeds", options->seeds, "At most so many seeds of each scenario")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command.add_option("--jobs", options->jobs, "Threads; results do not depend on it")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command.add_flag("--all", options->all_scenarios,
                   "Every scenario, also those that have promised nothing: who else notices?");
  command.add_option("--json", options->json,
                     "Write the outcome as JSON to this file, or to standard output (-)");
  return options;
}

lab::SpecimensRequest specimens_request(const SpecimensOptions& options,
                                        const std::vector<lab::SpecimenCase>& cases) {
  lab::SpecimensRequest request;
  for (const lab::SpecimenCase& specimen : cases) {
    const bool is_chosen =
        options.only.empty() || std::ranges::find(options.only, specimen.name) != options.only.end();
    if (is_chosen) request.cases.push_back(specimen);
  }
  for (const std::string& name : lab::scenario_names()) {
    if (auto scenario = lab::find_scenario(name)) request.scenarios.push_back(std::move(*scenario));
  }
  request.jobs = options.jobs;
  request.most_seeds = options.seeds;
  request.all_scenarios = options.all_scenarios;
  if (isatty(STDERR_FILENO) != 0) {
    request.progress = [](const std::string& specimen) {
      fmt::print(stderr, "\r\x1b[K{}", specimen);
      std::fflush(stderr);
    };
  }
  return request;
}

int deliver_specimens(const SpecimensOptions& options, const std::vector<lab::SpecimenResult>& results) {
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\x1b[K");
  if (options.json != "-") fmt::print("{}", lab::specimens_table(results));
  if (!options.json.empty()) {
    if (const auto error = write_text(options.json, lab::specimens_json(results)); !error.empty()) {
      say_error("{}", error);
      return kFailed;
    }
  }
  return std::ranges::all_of(results, &lab::SpecimenResult::is_caught) ? kFine : kFailed;
}

void add_lab_specimens_command(CLI::App& lab, int& exit_code) {
  CLI::App* command =
      lab.add_subcommand("specimens", "Try every known fault: is each caught, and by the right scenario?");
  command->footer(kExamples);
  auto options = add_specimens_options(*command);
  command->callback([options, &exit_code] { exit_code = specimens(*options); });
}

}  // namespace quell::cli
