// Which part of a sweep is this? One of N, so that an engine which can only start commands (GNU parallel, a
// Slurm array) can spread a sweep, and what the parts found is put together again.
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <vector>

#include "quell/lab/batch.h"

namespace quell::lab {

struct Shard {
  std::uint32_t index = 1;  // from 1 to `of`
  std::uint32_t of = 1;
};
// From "3/8". Errors are sentences.
std::expected<Shard, std::string> parse_shard(const std::string& text);
// Every `of`-th seed, beginning with the `index`-th: the parts cost about the same.
std::vector<std::uint64_t> seeds_of(const Shard& shard, const std::vector<std::uint64_t>& seeds);

// A sweep as it was asked for, whole.
struct Sweep {
  std::string name;           // what the user called the scenario
  std::string scenario_text;  // of its file: a part can be judged where the file is not
  std::vector<std::string> controllers;
  std::vector<std::uint64_t> seeds;
};

// What one part ran. `results`: as run_seeds gave them. JSON; docs/LAB.md names its keys.
std::string shard_json(const Sweep& sweep, const Shard& shard, const std::vector<ControllerResult>& results);

struct Merged {
  Sweep sweep;
  Scenario scenario;
  BatchResult result;  // equal to that of the sweep in one piece
};
// `files`: the parts, in any order. Errors: a file that cannot be read or is no part, parts of different
// sweeps, a part that is missing or there twice; sentences.
std::expected<Merged, std::string> merge_shards(const std::vector<std::string>& files);

}  // namespace quell::lab
