#include "quell/lab/path_text.h"

#include <fmt/format.h>

#include <algorithm>

namespace quell::lab {
namespace {

std::string label_of(const path::LossPhase& phase, path::Way way) {
  if (!phase.label.empty()) return phase.label;
  if (phase.bursts) return fmt::format("loss in bursts, {}", path::to_string(way));
  return fmt::format("{:g} % loss, {}", phase.probability * 100, path::to_string(way));
}

}  // namespace

std::vector<PathPhase> describe_phases(const path::PathConfig& config, const path::Path& path,
                                       TimePoint start, TimePoint end) {
  std::vector<PathPhase> phases;
  for (const path::Way way : path::kWays) {
    for (const path::LossPhase& loss : (way == path::Way::up ? config.up : config.down).losses) {
      const auto begin = path.begins_at(loss.from);
      if (!begin || *begin >= end) continue;
      const TimePoint until = loss.lasts ? std::min(end, *begin + *loss.lasts) : end;
      const PathPhase phase{to_seconds(*begin - start), to_seconds(until - start), label_of(loss, way)};
      const bool is_told = std::ranges::any_of(phases, [&](const PathPhase& other) {
        return other.label == phase.label && other.from_s == phase.from_s && other.to_s == phase.to_s;
      });
      if (!is_told) phases.push_back(phase);
    }
  }
  return phases;
}

}  // namespace quell::lab
