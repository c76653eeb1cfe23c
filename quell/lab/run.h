// What happens in one run: one variant, one controller, one seed?
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "quell/lab/liveness.h"
#include "quell/lab/measures.h"
#include "quell/lab/scenario.h"
#include "quell/lab/series.h"
#include "quell/lab/watch.h"
#include "quell/sim/simulation.h"

namespace quell::lab {

struct RunRequest {
  const Scenario* scenario = nullptr;
  std::size_t variant = 0;
  std::string controller;  // must be a name of cc/registry
  std::uint64_t seed = 0;
  bool want_series = false;
  bool want_windows = false;  // for comparisons
  // End the run once liveness is settled or this law broken ("": any of them): all that a hunt asks.
  std::optional<std::string> stop_at_law{};
  std::string qlog_dir;  // empty: none; must exist
};

struct RunResult {
  sim::Outcome outcome = sim::Outcome::done;
  Measures measures;
  std::vector<std::string> broken_laws;
  std::string failure;  // why it could not complete; empty: it did
  LivenessOutcome liveness;
  std::uint64_t digest = 0;
  std::uint64_t events = 0;  // of the simulation: what the run has cost
  // As asked for.
  Series series;
  std::vector<Watch::Window> windows;  // the sender's
  Watch::Silence silence{};            // its longest
  std::optional<TimePoint> anchor;     // of `cwnd_after`
  TimePoint ended_at{};
  ByteCount max_datagram_size = 0;
};

// Equal requests give equal results, whatever else the process does.
RunResult run_once(const RunRequest& request);

}  // namespace quell::lab
