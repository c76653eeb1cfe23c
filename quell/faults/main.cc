// `quell-lab-faults`: the laboratory with a recovery that can be broken. `quell lab specimens` starts it; by
// itself it tries the faults of recovery alone.
#include <CLI/CLI.hpp>
#include <exception>
#include <string>
#include <vector>

#include "quell/cli/exit_code.h"
#include "quell/cli/lab_specimens_command.h"
#include "quell/faults/catalogue.h"
#include "quell/faults/mtu_probe_trial.h"

namespace {

using namespace quell;

std::vector<lab::SpecimenCase> cases() {
  std::vector<lab::SpecimenCase> all;
  for (const faults::Fault& fault : faults::faults())
    all.push_back({std::string{fault.name}, std::string{fault.when}, true});
  return all;
}

void put_in_force(const std::string& name) {
  const faults::Fault* fault = faults::find(name);
  faults::put_in_force(fault == nullptr ? nullptr : fault->rules);
}

// Of the lost MTU probes, which no scenario has. That the sound rules pass it is a test of its own.
void try_without_a_path(std::vector<lab::SpecimenResult>& results) {
  for (lab::SpecimenResult& result : results) {
    if (result.name != "probe-as-congestion") continue;
    put_in_force(result.name);
    result.trials.push_back(faults::try_mtu_probes());
    put_in_force({});
    result.is_promised = true;
  }
}

}  // namespace

int main(int argc, char** argv) try {
  CLI::App app{"quell-lab-faults: does the suite catch a faulty recovery?", "quell-lab-faults"};
  const auto options = cli::add_specimens_options(app);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    const bool is_answer = error.get_exit_code() == static_cast<int>(CLI::ExitCodes::Success);
    app.exit(error);
    return is_answer ? cli::kFine : cli::kUsage;
  }
  for (const std::string& name : options->only) {
    if (faults::find(name) != nullptr) continue;
    cli::say_error("there is no specimen \"{}\"", name);
    return cli::kUsage;
  }
  lab::SpecimensRequest request = cli::specimens_request(*options, cases());
  request.put_in_force = put_in_force;
  auto results = lab::try_specimens(request);
  try_without_a_path(results);
  return cli::deliver_specimens(*options, results);
} catch (const std::exception& error) {
  quell::cli::say_error("{}", error.what());
  return quell::cli::kFailed;
}
