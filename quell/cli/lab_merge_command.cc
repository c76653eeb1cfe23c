#include "quell/cli/lab_merge_command.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <vector>

#include "quell/cli/exit_code.h"
#include "quell/cli/text_output.h"
#include "quell/lab/outcome_text.h"
#include "quell/lab/shard.h"

namespace quell::cli {
namespace {

constexpr const char* kExamples = R"(Examples:
  parallel quell lab run collapse-recovery --seeds 10000 --shard {}/8 --json part{}.json --jobs 1 ::: $(seq 8)
  quell lab merge part*.json

The outcome is that of the whole sweep in one piece, digest included, however it was split.
Exit codes: 0 all expectations met, 1 not, 2 parts that do not fit together.)";

int merge(const std::vector<std::string>& files, const std::string& json) {
  const auto merged = lab::merge_shards(files);
  if (!merged) {
    say_error("{}", merged.error());
    return kUsage;
  }
  const auto& [sweep, scenario, result] = *merged;
  // The table leaves standard output to JSON when that goes there.
  fmt::print(json == "-" ? stderr : stdout, "{}", lab::outcome_table(scenario, sweep.name, result));
  if (!json.empty()) {
    const auto error = write_text(json, lab::outcome_json(scenario, sweep.name, result));
    if (!error.empty()) {
      say_error("{}", error);
      return kFailed;
    }
  }
  return result.ok ? kFine : kFailed;
}

}  // namespace

void add_lab_merge_command(CLI::App& lab, int& exit_code) {
  auto files = std::make_shared<std::vector<std::string>>();
  auto json = std::make_shared<std::string>();
  CLI::App* command =
      lab.add_subcommand("merge", "Put the parts of a sweep together, and judge it as a whole");
  command->footer(kExamples);
  command->add_option("files", *files, "What `quell lab run … --shard I/N --json FILE` wrote, in any order")
      ->required();
  command->add_option("--json", *json, "Write the outcome as JSON to this file, or to standard output (-)");
  command->callback([files, json, &exit_code] { exit_code = merge(*files, *json); });
}

}  // namespace quell::cli
