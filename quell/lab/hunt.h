// Is there a path on which this controller breaks a law? A search over scripts: random ones, and those near
// to where progress was lowest; what it finds is shrunk.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>

#include "quell/lab/run.h"
#include "quell/lab/scenario.h"

namespace quell::lab {

struct HuntRequest {
  std::string controller;  // a name of cc/registry
  std::uint64_t seed = 1;
  std::string law;  // looks for this one only; empty: for any
  std::uint64_t events =
      UINT64_MAX;  // simulated, in all; the search ends with the generation that spends them
  unsigned jobs = 1;
  // Asked between generations: true ends the search. Nothing else depends on a clock.
  std::function<bool()> is_time_up;
  // Called before each run, in the thread that runs it: whoever wants to know what was running when the
  // process died.
  std::function<void(const Scenario&)> on_run;
  std::function<void(std::uint64_t runs, double hardest)> progress;
};

struct Find {
  Scenario scenario;  // shrunk; its one seed is 1
  std::string law;
  std::string breach;     // the sentence of the shrunk run
  std::uint64_t run = 0;  // the ordinal of the run that found it
  std::size_t tried = 0;  // runs that shrinking took
};

struct HuntOutcome {
  std::optional<Find> find;
  std::uint64_t runs = 0;
  std::uint64_t events = 0;
  double hardest = 0;             // see hardness()
  std::optional<Variant> script;  // that was hardest
};

// Equal requests give equal outcomes, whatever `jobs` is, unless time ends the search.
HuntOutcome hunt(const HuntRequest& request);

// How near a run came to a breach of liveness: the share of the allowed time that it needed, and more for
// recoveries without cause and stretches at the floor. Zero where nothing was judged.
double hardness(const RunResult& run, const Variant& script);

// The sentence about the law that a hunt is after; empty: none was broken.
std::string breach_of(const RunResult& run, const std::string& law);

}  // namespace quell::lab
