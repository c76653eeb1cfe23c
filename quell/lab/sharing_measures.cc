// How much of the link did each flow get, and how soon?
#include <algorithm>

#include "quell/lab/measure_groups.h"

namespace quell::lab {
namespace {

// Choice: a rate is what comes in a second; shorter stretches show bursts, longer ones hide steps.
constexpr Duration kRateSpan = seconds{1};

double in_window(const Observed& o, std::uint32_t flow) {
  return o.crossings->bytes_of(flow, o.window_from(), o.window_to());
}

double capacity(const Observed& o) {
  return o.rates->is_unlimited() ? 0 : o.rates->bytes_between(o.window_from(), o.window_to());
}

double share_of(double bytes, double capacity) {
  return capacity > 0 ? bytes / capacity : 0;
}

double all_flows(const Observed& o) {
  double sum = 0;
  for (std::uint32_t flow = 0; flow < o.flows(); ++flow) sum += in_window(o, flow);
  return sum;
}

double goodput_mbps(const Observed& o) {
  const double span = to_seconds(o.window_to() - o.window_from());
  return span > 0 ? in_window(o, 0) * 8 / 1e6 / span : 0;
}

// The first flow's over the mean of the others'.
double share_ratio(const Observed& o) {
  const double own = in_window(o, 0);
  const double others = all_flows(o) - own;
  return others > 0 ? own * static_cast<double>(o.flows() - 1) / others : 0;
}

// (Σx)² / (n Σx²): one when all are equal, 1/n when one has everything.
double jain(const Observed& o) {
  double sum = 0;
  double squares = 0;
  for (std::uint32_t flow = 0; flow < o.flows(); ++flow) {
    const double x = in_window(o, flow);
    sum += x;
    squares += x * x;
  }
  return squares > 0 ? sum * sum / (static_cast<double>(o.flows()) * squares) : 0;
}

double rate_reached_s(const Observed& o) {
  const TimePoint step = o.start + o.variant->measure.step_at;
  const double never = to_seconds(o.ended_at - step);
  if (o.rates->is_unlimited()) return never;
  const auto& all = o.crossings->crossings();
  double bytes = 0;
  std::size_t oldest = 0;
  for (const auto& crossing : all) {
    if (crossing.flow != 0 || crossing.left_at < step) continue;
    bytes += crossing.size;
    for (; all[oldest].left_at <= crossing.left_at - kRateSpan || all[oldest].left_at < step; ++oldest) {
      if (all[oldest].flow == 0 && all[oldest].left_at >= step) bytes -= all[oldest].size;
    }
    if (crossing.left_at < step + kRateSpan) continue;
    const double possible = o.rates->bytes_between(crossing.left_at - kRateSpan, crossing.left_at);
    if (bytes >= o.variant->measure.reach * possible) return to_seconds(crossing.left_at - step);
  }
  return never;
}

constexpr Measure kMeasures[] = {
    {"goodput_mbps", "what the first flow got through the bottleneck, in Mbit/s (UDP payload that arrived)",
     goodput_mbps},
    {"goodput_share", "the same as a share of the link's capacity",
     [](const Observed& o) { return share_of(in_window(o, 0), capacity(o)); }},
    {"utilisation", "share of the link's capacity that all flows together used",
     [](const Observed& o) { return share_of(all_flows(o), capacity(o)); }},
    {"share_ratio", "the first flow's goodput over the mean of the others'", share_ratio},
    {"jain", "Jain's index of fairness over all flows", jain},
    {"rate_reached_s",
     "time from `step_at` until the first flow has `reach` of the link's rate, over a second",
     rate_reached_s},
};

}  // namespace

std::span<const Measure> sharing_measures() {
  return kMeasures;
}

}  // namespace quell::lab
