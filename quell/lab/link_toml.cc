#include "quell/lab/link_toml.h"

#include <algorithm>
#include <vector>

namespace quell::lab {
namespace {

using path::QueueKind;
using path::RateStep;
using path::RateTrace;

// Says what RateSchedule would otherwise stop the program for.
void check_trace(TomlReader& in, const RateTrace& trace) {
  if (trace.steps.empty()) return in.complain("steps", "needs steps, or `step` and `mbit_s`");
  if (trace.steps.front().at != Duration{0}) in.complain("steps", "must begin at \"0 s\"");
  if (!std::ranges::is_sorted(trace.steps, {}, &RateStep::at)) in.complain("steps", "must ascend");
  if (trace.every && *trace.every <= trace.steps.back().at)
    in.complain("every", "must be behind the last step");
  const auto is_positive = [](const RateStep& step) { return !step.rate.is_zero(); };
  if (trace.every ? std::ranges::none_of(trace.steps, is_positive) : !is_positive(trace.steps.back()))
    in.complain("steps", "must not end without a rate");
}

void read_rate_or_none(TomlReader& in, Rate& rate) {
  if (!in.is_text("rate", "none")) in.read("rate", rate);
}

// The compact form: equal steps, in Mbit/s.
void read_equal_steps(TomlReader& in, RateTrace& trace) {
  Duration step{0};
  std::vector<double> rates;
  bool repeats = true;
  in.require("mbit_s");
  in.read("step", step);
  in.read("mbit_s", rates);
  in.read("repeats", repeats);
  if (step <= Duration{0}) in.complain("step", "must be positive");
  for (const double rate : rates) {
    if (rate < 0) in.complain("mbit_s", "must not be negative");
    trace.steps.push_back({step * static_cast<int>(trace.steps.size()), Rate::bits_per_second(rate * 1e6)});
  }
  if (repeats) trace.every = step * static_cast<int>(rates.size());
}

void read_trace(TomlReader& in, RateTrace& trace) {
  trace = {};
  if (in.has("step")) {
    read_equal_steps(in, trace);
  } else {
    in.read("every", trace.every);
    in.each("steps", [&](TomlReader& inner) {
      RateStep& step = trace.steps.emplace_back();
      inner.require("at");
      inner.require("rate");
      inner.read("at", step.at);
      read_rate_or_none(inner, step.rate);
    });
  }
  check_trace(in, trace);
}

void read_codel(TomlReader& in, path::CodelConfig& codel) {
  in.read("target", codel.target);
  in.read("interval", codel.interval);
  in.read("marks", codel.marks);
}

void read_dual_pi2(TomlReader& in, path::DualPi2Config& dual) {
  in.read("target", dual.target);
  in.read("rtt_max", dual.rtt_max);
  in.read("coupling", dual.coupling);
  in.read("ramp_from", dual.ramp_from);
  in.read("ramp_over", dual.ramp_over);
  in.read("classic_share", dual.classic_share);
  for (const auto& [key, duration] :
       {std::pair{"target", dual.target}, {"rtt_max", dual.rtt_max}, {"ramp_over", dual.ramp_over}}) {
    if (duration <= Duration{0}) in.complain(key, "must be positive");
  }
  if (dual.coupling <= 0) in.complain("coupling", "must be positive");
  if (dual.classic_share < 0 || dual.classic_share >= 1) in.complain("classic_share", "must be below 1");
}

}  // namespace

void read_link(TomlReader& in, path::LinkConfig& link) {
  in.read("rate", link.rate);
  in.table("rates", [&](TomlReader& inner) { read_trace(inner, link.rates); });
  in.read_bytes("queue", link.queue_bytes);
  in.read_enum<QueueKind>(
      "discipline", link.queue,
      {{"drop-tail", QueueKind::drop_tail}, {"codel", QueueKind::codel}, {"dualpi2", QueueKind::dual_pi2}});
  in.table("codel", [&](TomlReader& inner) { read_codel(inner, link.codel); });
  in.table("dualpi2", [&](TomlReader& inner) { read_dual_pi2(inner, link.dual_pi2); });
  in.read("jitter", link.jitter);
  in.read("jitter_reorders", link.jitter_reorders);
}

}  // namespace quell::lab
