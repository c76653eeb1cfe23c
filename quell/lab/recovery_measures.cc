// What was lost, and what did recovery make of it?
#include <algorithm>

#include "quell/lab/measure_groups.h"

namespace quell::lab {
namespace {

double flips_after_the_last_loss(const Observed& o) {
  const Watch& watch = *o.sender;
  const TimePoint last_loss = watch.losses().empty() ? o.start : watch.losses().back().at;
  return static_cast<double>(
      std::ranges::count_if(watch.recovery_entries(), [&](TimePoint t) { return t > last_loss; }));
}

double losses_after_the_trouble(const Observed& o) {
  if (!o.trouble_ended_at) return 0;
  return static_cast<double>(std::ranges::count_if(
      o.sender->losses(), [&](const Watch::Loss& loss) { return loss.sent_at > *o.trouble_ended_at; }));
}

constexpr Measure kMeasures[] = {
    {"recovery_flips", "entries into recovery after the last loss", flips_after_the_last_loss},
    {"uncaused_recoveries", "entries into recovery without a loss or CE mark since the one before",
     [](const Observed& o) {
       return static_cast<double>(o.sender_stats.recovery.recovery_entries_without_cause);
     }},
    {"losses", "packets declared lost",
     [](const Observed& o) { return static_cast<double>(o.sender->losses().size()); }},
    {"late_losses", "packets sent after the trouble and declared lost", losses_after_the_trouble},
    {"persistent_congestions", "times that persistent congestion was found",
     [](const Observed& o) {
       return static_cast<double>(o.sender_stats.recovery.persistent_congestion_events);
     }},
};

}  // namespace

std::span<const Measure> recovery_measures() {
  return kMeasures;
}

}  // namespace quell::lab
