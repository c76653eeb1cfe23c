#include "quell/cli/lab_hunt_command.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <system_error>
#include <thread>

#include "quell/cc/registry.h"
#include "quell/cli/exit_code.h"
#include "quell/lab/controller_choice.h"
#include "quell/lab/hunt.h"
#include "quell/lab/quantity.h"
#include "quell/lab/scenario_writer.h"

namespace quell::cli {
namespace {

struct HuntOptions {
  std::string controller;
  std::string time = "60 s";
  std::uint64_t seed = 1;
  std::uint64_t events = 0;
  unsigned jobs = std::max(1U, std::thread::hardware_concurrency());
  std::string law;
  std::string out = ".";
};

constexpr const char* kExamples = R"(Examples:
  quell lab hunt --cc cubic --time 10min                     nothing found: exit code 0
  quell lab hunt --cc ./mine.so --seed 7 --out finds         your own controller; a find becomes finds/hunt-mine-7.toml
  quell lab hunt --cc reno --budget 100000000 --time 1h      the same search on every machine

What is found is shrunk and written as a scenario: 'quell lab run FILE' shows the same failure again.
Exit codes: 0 nothing found, 1 found, 2 wrong usage.)";

// What a thread is running, so that a process that dies in the middle of it can still tell.
thread_local std::string running;
std::string last_words_file;

// Only what a signal handler may do.
void write_last_words(int signal) {
  const int file = open(last_words_file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
  if (file >= 0) {
    [[maybe_unused]] const auto written = write(file, running.data(), running.size());
    close(file);
  }
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

void tell_before_dying(const std::string& file) {
  last_words_file = file;
  for (const int signal : {SIGABRT, SIGSEGV, SIGFPE}) std::signal(signal, write_last_words);
}

// Empty, or a sentence.
std::string write_text(const std::string& file, const std::string& text) {
  std::ofstream out{file, std::ios::binary};
  out << text;
  out.close();
  return out ? "" : fmt::format("cannot write {}: {}", file, std::strerror(errno));
}

double cpu_seconds() {
  return static_cast<double>(std::clock()) / CLOCKS_PER_SEC;
}

void show_progress(std::uint64_t runs, double hardest) {
  static const bool is_terminal = isatty(STDERR_FILENO) != 0;
  if (!is_terminal) return;
  fmt::print(stderr, "\r{} runs; the hardest came to {:.0f} %\x1b[K", runs, hardest * 100);
  std::fflush(stderr);
}

// Named for people: what it shows, and how it was found.
lab::Scenario told(const lab::Find& find, const HuntOptions& options, const std::string& name) {
  lab::Scenario scenario = find.scenario;
  scenario.name = name;
  scenario.title = fmt::format("{} breaks a law: {}", options.controller, find.law);
  scenario.story = fmt::format(
      "Found by quell lab hunt --cc {} --seed {}{}, in run {}, and shrunk in {} more.\nWhat it showed: {}\n",
      options.controller, options.seed, options.law.empty() ? "" : " --law \"" + options.law + "\"", find.run,
      find.tried, find.breach);
  return scenario;
}

int report_find(const lab::Find& find, const HuntOptions& options, const std::string& name) {
  const std::string file = fmt::format("{}/{}.toml", options.out, name);
  if (const auto error = write_text(file, lab::write_scenario(told(find, options, name))); !error.empty()) {
    say_error("{}", error);
    return kUsage;
  }
  fmt::print("found in run {}, shrunk in {} more: {}\n", find.run, find.tried, find.breach);
  fmt::print("  replay: quell lab run {} --cc {}\n", file, options.controller);
  return kFailed;
}

int hunt(const HuntOptions& options) {
  const auto time = lab::parse_duration(options.time);
  const auto chosen = lab::choose_controllers({options.controller});
  for (const auto& error : {time ? "" : time.error(), chosen ? "" : chosen.error()}) {
    if (error.empty()) continue;
    say_error("{}", error);
    return kUsage;
  }
  std::error_code error;
  std::filesystem::create_directories(options.out, error);
  if (error) {
    say_error("cannot make the folder {}: {}", options.out, error.message());
    return kUsage;
  }
  const std::string name = fmt::format("hunt-{}-{}", chosen->front(), options.seed);
  tell_before_dying(fmt::format("{}/{}-crash.toml", options.out, name));

  lab::HuntRequest request;
  request.controller = chosen->front();
  request.seed = options.seed;
  request.law = options.law;
  if (options.events > 0) request.events = options.events;
  request.jobs = options.jobs;
  request.is_time_up = [until = cpu_seconds() + to_seconds(*time)] { return cpu_seconds() >= until; };
  request.on_run = [](const lab::Scenario& scenario) { running = lab::write_scenario(scenario); };
  request.progress = show_progress;
  const lab::HuntOutcome outcome = lab::hunt(request);
  if (isatty(STDERR_FILENO) != 0) fmt::print(stderr, "\r\x1b[K");
  fmt::print("{}: {} runs, {} million events, {:.1f} s of CPU; the hardest came to {:.0f} % of a failure\n",
             options.controller, outcome.runs, outcome.events / 1'000'000, cpu_seconds(),
             outcome.hardest * 100);
  if (outcome.find) return report_find(*outcome.find, options, name);
  fmt::print("nothing found\n");
  return kFine;
}

}  // namespace

void add_lab_hunt_command(CLI::App& lab, int& exit_code) {
  auto options = std::make_shared<HuntOptions>();
  CLI::App* command =
      lab.add_subcommand("hunt", "Search for a path on which a controller breaks a law or stalls");
  command->footer(kExamples);
  command->add_option("--cc", options->controller, "The controller: a name, or a shared library")->required();
  command->add_option("--time", options->time, "Processor time to spend, over all threads")
      ->capture_default_str();
  command->add_option("--budget", options->events,
                      "Simulated events to spend; unlike time, it makes the search the same everywhere");
  command->add_option("--seed", options->seed, "Which search")->capture_default_str();
  command->add_option("--law", options->law, "Look for this law alone, such as \"liveness\"");
  command->add_option("--jobs", options->jobs, "Threads; what is found does not depend on it")
      ->check(CLI::PositiveNumber)
      ->capture_default_str();
  command->add_option("--out", options->out, "The folder for what is found")->capture_default_str();
  command->callback([options, &exit_code] { exit_code = hunt(*options); });
}

}  // namespace quell::cli
