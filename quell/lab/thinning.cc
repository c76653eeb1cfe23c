#include "quell/lab/thinning.h"

#include <algorithm>
#include <array>

#include "quell/base/check.h"

namespace quell::lab {
namespace {

constexpr std::size_t kPointsPerBucket = 3;
constexpr std::size_t kStates = 4;

std::size_t bucket_of(double time_s, double end_s, std::size_t buckets) {
  if (!(end_s > 0) || !(time_s > 0)) return 0;
  const double share = std::min(time_s / end_s, 1.0);
  return std::min(static_cast<std::size_t>(share * static_cast<double>(buckets)), buckets - 1);
}

// The indexes to keep of [first, end), ascending and without repetition.
void keep_extremes(const std::vector<Point>& curve, std::size_t first, std::size_t end,
                   std::vector<Point>& kept) {
  std::array<std::size_t, kPointsPerBucket> keep{first, first, end - 1};
  for (std::size_t i = first; i < end; ++i) {
    if (curve[i].value < curve[keep[0]].value) keep[0] = i;
    if (curve[i].value > curve[keep[1]].value) keep[1] = i;
  }
  std::ranges::sort(keep);
  for (std::size_t k = 0; k < keep.size(); ++k) {
    if (k == 0 || keep[k] != keep[k - 1]) kept.push_back(curve[keep[k]]);
  }
}

void append(std::vector<StateInterval>& states, StateInterval next) {
  if (!states.empty() && states.back().state == next.state && states.back().to_s == next.from_s) {
    states.back().to_s = next.to_s;
  } else {
    states.push_back(next);
  }
}

}  // namespace

std::vector<Point> thin_curve(const std::vector<Point>& curve, double end_s, std::size_t buckets) {
  QUELL_CHECK(buckets > 0);
  if (curve.size() <= kPointsPerBucket * buckets) return curve;
  std::vector<Point> kept;
  kept.reserve(kPointsPerBucket * buckets);
  for (std::size_t first = 0; first < curve.size();) {
    const std::size_t bucket = bucket_of(curve[first].time_s, end_s, buckets);
    std::size_t end = first + 1;
    while (end < curve.size() && bucket_of(curve[end].time_s, end_s, buckets) == bucket) ++end;
    keep_extremes(curve, first, end, kept);
    first = end;
  }
  return kept;
}

std::vector<double> thin_marks(const std::vector<double>& times_s, double end_s, std::size_t buckets) {
  QUELL_CHECK(buckets > 0);
  if (times_s.size() <= buckets) return times_s;
  std::vector<double> kept;
  for (const double time : times_s) {
    if (kept.empty() || bucket_of(kept.back(), end_s, buckets) != bucket_of(time, end_s, buckets))
      kept.push_back(time);
  }
  return kept;
}

std::vector<StateInterval> thin_states(const std::vector<StateInterval>& states, double end_s,
                                       std::size_t buckets) {
  QUELL_CHECK(buckets > 0);
  if (states.size() <= buckets || !(end_s > 0)) return states;
  const double width = end_s / static_cast<double>(buckets);
  std::vector<StateInterval> kept;
  std::size_t next = 0;
  for (std::size_t b = 0; b < buckets; ++b) {
    const double from = static_cast<double>(b) * width;
    const double to = static_cast<double>(b + 1) * width;
    std::array<double, kStates> seconds{};
    while (next < states.size() && states[next].to_s <= from) ++next;
    for (std::size_t i = next; i < states.size() && states[i].from_s < to; ++i) {
      const double inside = std::min(to, states[i].to_s) - std::max(from, states[i].from_s);
      seconds[static_cast<std::size_t>(states[i].state)] += std::max(inside, 0.0);
    }
    const auto longest = std::ranges::max_element(seconds);
    if (*longest > 0) append(kept, {from, to, static_cast<cc::State>(longest - seconds.begin())});
  }
  return kept;
}

Series thin(const Series& series, std::size_t buckets) {
  Series thinned;
  thinned.end_s = series.end_s;
  thinned.phases = series.phases;
  thinned.states = thin_states(series.states, series.end_s, buckets);
  thinned.loss_times_s = thin_marks(series.loss_times_s, series.end_s, buckets);
  for (const auto curve :
       {&Series::cwnd, &Series::in_flight, &Series::ssthresh, &Series::delivered, &Series::lost}) {
    thinned.*curve = thin_curve(series.*curve, series.end_s, buckets);
  }
  return thinned;
}

}  // namespace quell::lab
