// How do measures come out of what was watched?
#pragma once

#include <optional>

#include "quell/connection/stats.h"
#include "quell/lab/measures.h"
#include "quell/lab/scenario.h"
#include "quell/lab/watch.h"

namespace quell::lab {

struct Observed {
  const Watch* server = nullptr;
  TimePoint start{};
  TimePoint ended_at{};
  std::optional<TimePoint> completed_at;
  std::optional<TimePoint> confirmed_at;
  std::optional<TimePoint> trouble_ended_at;  // nothing: it had not
  ConnectionStats server_stats;               // the last ones
};

// From which moment `cwnd_after` counts; nothing when that never came.
std::optional<TimePoint> find_anchor(const MeasureConfig& config, const Observed& observed);
Measures measure(const Variant& variant, const Observed& observed);

}  // namespace quell::lab
