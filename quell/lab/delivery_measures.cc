// When did how much arrive?
#include <optional>

#include "quell/lab/measure_groups.h"
#include "quell/lab/observed.h"

namespace quell::lab {
namespace {

constexpr double kMost = 0.8;  // of the link: what counts as "the rate is there"
// Over this many round trips, so that the pauses of a paced sender and the queue's ACKs do not matter.
constexpr int kRateRtts = 5;

double since(const Observed& o, const std::optional<TimePoint>& t, TimePoint from) {
  return to_seconds(t ? *t - from : o.variant->deadline);
}

// When the bytes of the last few round trips first amount to 80 % of the link, counted from `from` on.
std::optional<TimePoint> rate_reached(const Observed& o, TimePoint from) {
  const auto rate = link_rate(o);
  if (!rate) return std::nullopt;
  const Duration span = o.variant->rtt * kRateRtts;
  const double needed = kMost * rate->bytes_per_second() * to_seconds(span);
  const auto& deliveries = o.traffic->deliveries();
  double bytes = 0;
  std::size_t oldest = 0;
  for (const Traffic::Delivery& delivery : deliveries) {
    if (delivery.at < from) {
      ++oldest;
      continue;
    }
    bytes += delivery.size;
    for (; deliveries[oldest].at <= delivery.at - span; ++oldest) bytes -= deliveries[oldest].size;
    if (bytes >= needed) return delivery.at;
  }
  return std::nullopt;
}

std::optional<TimePoint> window_holds_bdp(const Observed& o) {
  const auto rate = link_rate(o);
  if (!rate) return std::nullopt;
  const double bdp = rate->bytes_per_second() * to_seconds(o.variant->rtt);
  for (const Watch::Window& window : o.sender->windows()) {
    if (static_cast<double>(window.cwnd) >= kMost * bdp) return window.at;
  }
  return std::nullopt;
}

constexpr Measure kMeasures[] = {
    {"rate80_s",
     "time from the first data after the trouble until 5 round trips have carried 80 % of the rate",
     [](const Observed& o) {
       const TimePoint from = first_delivery_after(o, o.trouble_ended_at.value_or(o.ended_at));
       return since(o, rate_reached(o, from), from);
     }},
    {"bdp80_s", "time from the confirmed handshake until the window holds 80 % of rate x round trip",
     [](const Observed& o) {
       const TimePoint from = o.conduct->confirmed_at().value_or(o.ended_at);
       return since(o, window_holds_bdp(o), from);
     }},
};

}  // namespace

std::span<const Measure> delivery_measures() {
  return kMeasures;
}

}  // namespace quell::lab
