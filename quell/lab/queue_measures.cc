// How long did packets wait at the bottleneck, and how many were dropped?
#include <algorithm>
#include <cmath>
#include <vector>

#include "quell/lab/measure_groups.h"

namespace quell::lab {
namespace {

// Choice: what was in flight when a rate fell is in the queue a second later.
constexpr Duration kPeakWithin = seconds{1};

// Of the first flow's packets, in seconds.
double queue_delay(const Observed& o, double share) {
  std::vector<Duration> waits;
  for (const auto& crossing : o.crossings->crossings()) {
    if (crossing.flow == 0 && crossing.left_at >= o.window_from() && crossing.left_at < o.window_to())
      waits.push_back(crossing.waited);
  }
  if (waits.empty()) return 0;
  const double rank = std::ceil(share * static_cast<double>(waits.size()) - 1e-9);
  const auto nth = waits.begin() + static_cast<std::ptrdiff_t>(std::max(rank, 1.0)) - 1;
  std::ranges::nth_element(waits, nth);
  return to_seconds(*nth);
}

double dropped_share(const Observed& o) {
  const auto is_in_window = [&](TimePoint t) { return t >= o.window_from() && t < o.window_to(); };
  const auto dropped = static_cast<double>(std::ranges::count_if(
      o.crossings->drops(), [&](const auto& drop) { return drop.flow == 0 && is_in_window(drop.at); }));
  const auto arrived =
      static_cast<double>(std::ranges::count_if(o.crossings->crossings(), [&](const auto& crossing) {
        return crossing.flow == 0 && is_in_window(crossing.left_at);
      }));
  return dropped + arrived > 0 ? dropped / (dropped + arrived) : 0;
}

double drained_s(const Observed& o) {
  const TimePoint step = o.start + o.variant->measure.step_at;
  const auto& all = o.crossings->crossings();
  const auto first = std::ranges::find_if(all, [&](const auto& c) { return c.left_at >= step; });
  const auto end =
      std::find_if(first, all.end(), [&](const auto& c) { return c.left_at > step + kPeakWithin; });
  const auto peak =
      std::max_element(first, end, [](const auto& a, const auto& b) { return a.waited < b.waited; });
  const auto drained =
      std::find_if(peak, all.end(), [&](const auto& c) { return c.waited <= o.variant->measure.drained; });
  return to_seconds((drained == all.end() ? o.ended_at : drained->left_at) - step);
}

constexpr Measure kMeasures[] = {
    {"queue_median_s", "median time that the first flow's packets waited at the bottleneck",
     [](const Observed& o) { return queue_delay(o, 0.5); }},
    {"queue_p95_s", "95th percentile of that", [](const Observed& o) { return queue_delay(o, 0.95); }},
    {"queue_most_s", "the longest of them", [](const Observed& o) { return queue_delay(o, 1); }},
    {"dropped_share", "share of the first flow's packets that the path dropped", dropped_share},
    {"queue_drained_s", "time from `step_at` until, past its peak, the queue is shorter than `drained`",
     drained_s},
};

}  // namespace

std::span<const Measure> queue_measures() {
  return kMeasures;
}

}  // namespace quell::lab
