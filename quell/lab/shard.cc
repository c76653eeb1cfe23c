#include "quell/lab/shard.h"

#include <fmt/format.h>

#include <charconv>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <utility>

#include "quell/lab/scenario_toml.h"
#include "quell/sim/digest.h"

namespace quell::lab {
namespace {

using Json = nlohmann::ordered_json;

// Rises when a file of before could be misread.
constexpr const char* kFormat = "quell-lab-shard/1";

Json json_of(const RunResult& run) {
  Json measures = Json::object();
  for (const auto name : measure_list()) measures[std::string{name}] = run.measures.value(name);
  return {{"outcome", sim::to_string(run.outcome)},
          {"completed", run.measures.completed},
          {"failure", run.failure},
          {"digest", sim::to_hex(run.digest)},
          {"broken_laws", run.broken_laws},
          {"measures", std::move(measures)}};
}

Json json_of(const SeedResult& seed) {
  Json row = {{"seed", seed.seed}, {"misses", seed.misses}, {"missed_comparisons", Json::array()}};
  for (const auto& missed : seed.missed_comparisons)
    row["missed_comparisons"].push_back({{"ordinal", missed.ordinal}, {"text", missed.text}});
  row["runs"] = Json::array();
  for (const RunResult& run : seed.runs) row["runs"].push_back(json_of(run));
  return row;
}

RunResult run_from(const Json& json) {
  RunResult run;
  for (const auto outcome :
       {sim::Outcome::done, sim::Outcome::deadline, sim::Outcome::budget, sim::Outcome::deadlock}) {
    if (json.at("outcome") == sim::to_string(outcome)) run.outcome = outcome;
  }
  run.measures.completed = json.at("completed");
  run.failure = json.at("failure");
  run.digest = std::stoull(json.at("digest").get<std::string>(), nullptr, 16);
  run.broken_laws = json.at("broken_laws").get<std::vector<std::string>>();
  for (const auto name : measure_list()) run.measures.set(name, json.at("measures").at(std::string{name}));
  return run;
}

SeedResult seed_from(const Json& json) {
  SeedResult seed;
  seed.seed = json.at("seed");
  seed.misses = json.at("misses").get<std::vector<std::string>>();
  for (const Json& missed : json.at("missed_comparisons"))
    seed.missed_comparisons.push_back({missed.at("ordinal"), missed.at("text")});
  for (const Json& run : json.at("runs")) seed.runs.push_back(run_from(run));
  return seed;
}

struct Part {
  std::string file;
  Sweep sweep;
  Shard shard;
  std::vector<std::vector<SeedResult>> results;  // by controller
};

Part part_from(const Json& json, const std::string& file) {
  Part part{.file = file, .sweep = {}, .shard = {}, .results = {}};
  part.sweep = {.name = json.at("scenario"),
                .scenario_text = json.at("scenario_text"),
                .controllers = json.at("controllers").get<std::vector<std::string>>(),
                .seeds = json.at("seeds").get<std::vector<std::uint64_t>>()};
  part.shard = {.index = json.at("shard").at("index"), .of = json.at("shard").at("of")};
  for (const Json& controller : json.at("results")) {
    auto& seeds = part.results.emplace_back();
    for (const Json& seed : controller) seeds.push_back(seed_from(seed));
  }
  return part;
}

using Read = std::expected<Part, std::string>;

Read read_part(const std::string& file) {
  std::ifstream in{file, std::ios::binary};
  if (!in) return std::unexpected(fmt::format("cannot read {}", file));
  try {
    const Json json = Json::parse(in);
    if (json.value("format", "") != kFormat) {
      return std::unexpected(
          fmt::format("{} is no part of a sweep that this version can read: write it with `quell lab run … "
                      "--shard I/N --json FILE`",
                      file));
    }
    return part_from(json, file);
  } catch (const std::exception& error) {
    return std::unexpected(fmt::format("{} is damaged, or cut off: {}", file, error.what()));
  }
}

bool is_same_sweep(const Part& a, const Part& b) {
  return a.sweep.scenario_text == b.sweep.scenario_text && a.sweep.controllers == b.sweep.controllers &&
         a.sweep.seeds == b.sweep.seeds && a.shard.of == b.shard.of;
}

// Empty, or why these are not the parts of one sweep.
std::string objection_to(const std::vector<Part>& parts) {
  const Part& first = parts.front();
  std::map<std::uint32_t, std::string> files;
  for (const Part& part : parts) {
    if (!is_same_sweep(first, part)) {
      return fmt::format(
          "{} and {} are parts of different sweeps: scenario, controllers, seeds and N must be the same",
          first.file, part.file);
    }
    const auto [known, is_new] = files.emplace(part.shard.index, part.file);
    if (!is_new) return fmt::format("{} and {} are both part {}", known->second, part.file, part.shard.index);
    const std::size_t due = seeds_of(part.shard, part.sweep.seeds).size();
    for (const auto& seeds : part.results) {
      if (seeds.size() != due)
        return fmt::format("{} has {} seeds where {} are due", part.file, seeds.size(), due);
    }
  }
  for (std::uint32_t i = 1; i <= first.shard.of; ++i) {
    if (!files.contains(i)) return fmt::format("part {}/{} is missing", i, first.shard.of);
  }
  return {};
}

// In the order of the seeds, whichever part ran them.
std::vector<ControllerResult> join(std::vector<Part>& parts) {
  const Sweep& sweep = parts.front().sweep;
  std::vector<ControllerResult> results(sweep.controllers.size());
  for (std::size_t c = 0; c < results.size(); ++c) {
    results[c].seeds.resize(sweep.seeds.size());
    for (Part& part : parts) {
      for (std::size_t i = 0; i < part.results[c].size(); ++i)
        results[c].seeds[part.shard.index - 1 + i * part.shard.of] = std::move(part.results[c][i]);
    }
  }
  return results;
}

}  // namespace

std::expected<Shard, std::string> parse_shard(const std::string& text) {
  Shard shard;
  const char* const end = text.data() + text.size();
  const auto index = std::from_chars(text.data(), end, shard.index);
  const bool has_slash = index.ec == std::errc{} && index.ptr != end && *index.ptr == '/';
  const auto of = has_slash ? std::from_chars(index.ptr + 1, end, shard.of)
                            : std::from_chars_result{end, std::errc::invalid_argument};
  if (of.ec != std::errc{} || of.ptr != end || shard.index < 1 || shard.index > shard.of)
    return std::unexpected(fmt::format("\"{}\" is no part of a sweep: write I/N, with I from 1 to N", text));
  return shard;
}

std::vector<std::uint64_t> seeds_of(const Shard& shard, const std::vector<std::uint64_t>& seeds) {
  std::vector<std::uint64_t> mine;
  for (std::size_t i = shard.index - 1; i < seeds.size(); i += shard.of) mine.push_back(seeds[i]);
  return mine;
}

std::string shard_json(const Sweep& sweep, const Shard& shard, const std::vector<ControllerResult>& results) {
  Json root = {{"format", kFormat},
               {"scenario", sweep.name},
               {"shard", {{"index", shard.index}, {"of", shard.of}}},
               {"controllers", sweep.controllers},
               {"seeds", sweep.seeds},
               {"scenario_text", sweep.scenario_text},
               {"results", Json::array()}};
  for (const ControllerResult& controller : results) {
    Json seeds = Json::array();
    for (const SeedResult& seed : controller.seeds) seeds.push_back(json_of(seed));
    root["results"].push_back(std::move(seeds));
  }
  return root.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::expected<Merged, std::string> merge_shards(const std::vector<std::string>& files) {
  std::vector<Part> parts;
  for (const std::string& file : files) {
    Read part = read_part(file);
    if (!part) return std::unexpected(std::move(part.error()));
    if (part->results.size() != part->sweep.controllers.size() || part->sweep.seeds.empty())
      return std::unexpected(fmt::format("{} is damaged: it lacks controllers or seeds", file));
    parts.push_back(std::move(*part));
  }
  if (parts.empty()) return std::unexpected("there is nothing to merge");
  if (const auto objection = objection_to(parts); !objection.empty()) return std::unexpected(objection);
  auto scenario = parse_scenario(parts.front().sweep.scenario_text, parts.front().sweep.name);
  if (!scenario) return std::unexpected(std::move(scenario.error()));
  const Sweep& sweep = parts.front().sweep;
  BatchResult result = judge_batch(*scenario, sweep.controllers, join(parts));
  return Merged{sweep, std::move(*scenario), std::move(result)};
}

}  // namespace quell::lab
