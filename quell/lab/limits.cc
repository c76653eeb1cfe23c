#include "quell/lab/limits.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "quell/lab/measure_groups.h"

namespace quell::lab {
namespace {

constexpr std::size_t kLimits = 5;
// In the order of Limit.
constexpr std::string_view kShares[kLimits] = {"window_limited_share", "flow_limited_share",
                                               "app_limited_share", "link_busy_share", "cpu_busy_share"};
// Busy for this share of the time, slow start and the last round trip apart: there is no more to be had.
constexpr double kSaturated = 0.9;
constexpr double kWorthSaying = 0.05;

// Of the time.
struct Limits {
  std::array<double, kLimits> share{};
  Limit binding = Limit::window;
  // What was carried over what the binding limit allows: link and processor: their busy share; window: the
  // mean of cwnd / smoothed_rtt; flow control: the peer's window per smoothed_rtt; the application gave what
  // it gave.
  double used_share = 0;

  double of(Limit limit) const { return share[static_cast<std::size_t>(limit)]; }
};

double ratio(double part, double whole) {
  return whole > 0 ? part / whole : 0;
}

void add_sender(const Observed& o, TimePoint end, double total_s, Limits& limits) {
  const auto held = o.conduct->held(o.completed_at.has_value(), end);
  const auto of = [&](trace::TransmitEnd reason) {
    return ratio(to_seconds(held[static_cast<std::size_t>(reason)]), total_s);
  };
  using trace::TransmitEnd;
  limits.share[static_cast<std::size_t>(Limit::window)] = of(TransmitEnd::window) + of(TransmitEnd::pacer);
  limits.share[static_cast<std::size_t>(Limit::flow_control)] = of(TransmitEnd::flow_control);
  limits.share[static_cast<std::size_t>(Limit::application)] =
      of(TransmitEnd::nothing_to_send) + of(TransmitEnd::amplification);
}

void add_machines(const Observed& o, double total_s, Limits& limits) {
  if (const auto rate = link_rate(o)) {
    const double needed_s = static_cast<double>(o.traffic->carried()) / rate->bytes_per_second();
    limits.share[static_cast<std::size_t>(Limit::link)] = std::min(1.0, ratio(needed_s, total_s));
  }
  const Duration busiest = std::max(o.traffic->busy(Side::client, o.variant->client_host),
                                    o.traffic->busy(Side::server, o.variant->server_host));
  limits.share[static_cast<std::size_t>(Limit::cpu)] = std::min(1.0, ratio(to_seconds(busiest), total_s));
}

Limit binding_of(const Limits& limits) {
  const Limit machine = limits.of(Limit::cpu) > limits.of(Limit::link) ? Limit::cpu : Limit::link;
  if (limits.of(machine) >= kSaturated) return machine;
  Limit most = Limit::window;
  for (const Limit limit : {Limit::flow_control, Limit::application}) {
    if (limits.of(limit) > limits.of(most)) most = limit;
  }
  return most;
}

double used_share(const Observed& o, const Limits& limits, TimePoint end, double total_s) {
  const double carried = static_cast<double>(o.traffic->carried());
  switch (limits.binding) {
    case Limit::window:
      return ratio(carried, o.conduct->window_rate(end).bytes_per_second() * total_s);
    case Limit::flow_control: {
      const double window = static_cast<double>(o.conduct->peer_window());
      return ratio(carried * to_seconds(o.conduct->smoothed_rtt()), window * total_s);
    }
    case Limit::application:
      return o.completed_at ? 1 : 0;
    case Limit::link:
    case Limit::cpu:
      return limits.of(limits.binding);
  }
  return 0;
}

Limits find_limits(const Observed& o) {
  Limits limits;
  const auto begin = o.conduct->confirmed_at();
  const TimePoint end = o.completed_at.value_or(o.ended_at);
  if (!begin || end <= *begin) return limits;
  const double total_s = to_seconds(end - *begin);
  add_sender(o, end, total_s, limits);
  add_machines(o, total_s, limits);
  limits.binding = binding_of(limits);
  limits.used_share = used_share(o, limits, end, total_s);
  return limits;
}

constexpr Measure kMeasures[] = {
    {"link_busy_share", "share of the time in which the link to the receiver was busy",
     [](const Observed& o) { return find_limits(o).of(Limit::link); }},
    {"cpu_busy_share", "share of the time in which the busier host was busy",
     [](const Observed& o) { return find_limits(o).of(Limit::cpu); }},
    {"window_limited_share",
     "share of the time in which the window, or the pacer that spreads it, held the sender",
     [](const Observed& o) { return find_limits(o).of(Limit::window); }},
    {"flow_limited_share", "share of the time in which flow control held the sender",
     [](const Observed& o) { return find_limits(o).of(Limit::flow_control); }},
    {"app_limited_share", "share of the time in which the application had nothing to send",
     [](const Observed& o) { return find_limits(o).of(Limit::application); }},
    {"limit_used_share", "what was carried over what the limit that binds allows",
     [](const Observed& o) { return find_limits(o).used_share; }},
    {"binding_limit", "which limit binds: 0 window, 1 flow control, 2 application, 3 link, 4 processor",
     [](const Observed& o) { return static_cast<double>(find_limits(o).binding); }},
};

}  // namespace

const char* to_string(Limit limit) {
  switch (limit) {
    case Limit::window:
      return "window";
    case Limit::flow_control:
      return "flow control";
    case Limit::application:
      return "application";
    case Limit::link:
      return "link";
    case Limit::cpu:
      return "processor";
  }
  return "?";
}

Limit binding_limit(const Measures& measures) {
  return static_cast<Limit>(measures.value("binding_limit"));
}

std::string describe_limits(const Measures& measures) {
  const auto binding = static_cast<std::size_t>(binding_limit(measures));
  const auto text_of = [&](std::size_t i) {
    return fmt::format("{} {:.0f} %", to_string(static_cast<Limit>(i)), 100 * measures.value(kShares[i]));
  };
  std::string text = text_of(binding);
  for (std::size_t i = 0; i < kLimits; ++i) {
    if (i != binding && measures.value(kShares[i]) >= kWorthSaying) text += ", " + text_of(i);
  }
  return text;
}

std::span<const Measure> limit_measures() {
  return kMeasures;
}

}  // namespace quell::lab
