#include "quell/cli/lab_command.h"

#include <fmt/format.h>
#include <unistd.h>

#include <memory>
#include <string>

#include "quell/cli/exit_code.h"
#include "quell/cli/lab_hunt_command.h"
#include "quell/cli/lab_merge_command.h"
#include "quell/cli/lab_run_command.h"
#include "quell/cli/lab_specimens_command.h"
#include "quell/lab/catalogue.h"

namespace quell::cli {
namespace {

int list() {
  const bool is_terminal = isatty(STDOUT_FILENO) != 0;
  for (const auto& name : lab::scenario_names()) {
    if (!is_terminal) {
      fmt::print("{}\n", name);
      continue;
    }
    const auto scenario = lab::find_scenario(name);
    fmt::print("{:<28} {}\n", name, scenario ? scenario->title : scenario.error());
  }
  return kFine;
}

int show(const std::string& name) {
  const auto text = lab::scenario_text(name);
  if (!text) {
    say_error("{}", text.error());
    return kUsage;
  }
  fmt::print("{}", *text);
  return kFine;
}

}  // namespace

void add_lab_command(CLI::App& app, int& exit_code) {
  CLI::App* lab =
      app.add_subcommand("lab", "Run the real stack in virtual time over paths that break controllers");
  lab->require_subcommand(1);
  lab->add_subcommand("list", "The scenarios that come with the program")->callback([&exit_code] {
    exit_code = list();
  });
  auto name = std::make_shared<std::string>();
  CLI::App* show_command = lab->add_subcommand("show", "The text of a scenario's file");
  show_command->add_option("scenario", *name, "A name of 'quell lab list', or a file")->required();
  show_command->callback([name, &exit_code] { exit_code = show(*name); });
  add_lab_run_command(*lab, exit_code);
  add_lab_merge_command(*lab, exit_code);
  add_lab_specimens_command(*lab, exit_code);
  add_lab_hunt_command(*lab, exit_code);
}

}  // namespace quell::cli
