#include "quell/lab/measuring.h"

#include <algorithm>
#include <limits>

namespace quell::lab {
namespace {

// At the floor: no third packet fits. Historic controllers stay a fraction of a packet above the two of RFC
// 9002 §7.2.
constexpr ByteCount kAboveFloorPackets = 3;

// How long the window was at or below `limit` in [from, to), in all and at a stretch.
struct LowTime {
  Duration total{0};
  Duration longest{0};
};

LowTime low_time(const std::vector<Watch::Window>& windows, ByteCount limit, TimePoint from, TimePoint to) {
  LowTime low;
  Duration stretch{0};
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const TimePoint begin = std::max(windows[i].at, from);
    const TimePoint end = std::min(i + 1 < windows.size() ? windows[i + 1].at : to, to);
    if (end <= begin) continue;
    if (windows[i].cwnd > limit) {
      stretch = Duration{0};
      continue;
    }
    low.total += end - begin;
    stretch += end - begin;
    low.longest = std::max(low.longest, stretch);
  }
  return low;
}

std::optional<TimePoint> first_ack_of_a_packet_sent_after(const Watch& watch, TimePoint t) {
  for (const Watch::Ack& ack : watch.acks()) {
    if (ack.newest_sent_at > t) return ack.at;
  }
  return std::nullopt;
}

double count(std::size_t n) {
  return static_cast<double>(n);
}

void measure_windows(const Variant& variant, const Observed& observed, Measures& m) {
  const Watch& watch = *observed.server;
  const auto& windows = watch.windows();
  const ByteCount packet = watch.max_datagram_size();
  if (windows.empty() || packet == 0) return;
  const auto packets = [packet](ByteCount bytes) {
    return static_cast<double>(bytes) / static_cast<double>(packet);
  };
  const auto [least, most] = std::ranges::minmax(windows, {}, &Watch::Window::cwnd);
  m.cwnd_least = packets(least.cwnd);
  m.cwnd_most = packets(most.cwnd);
  m.cwnd_final = packets(windows.back().cwnd);

  const auto anchor = find_anchor(variant.measure, observed);
  if (anchor && *anchor + variant.rtt * variant.measure.rtts <= observed.ended_at) {
    m.cwnd_after = packets(watch.cwnd_at(*anchor + variant.rtt * variant.measure.rtts));
  }
  const TimePoint from = observed.trouble_ended_at.value_or(observed.ended_at);
  // Before the first ACK nobody can know that the trouble is over: how long that takes is for probes to say,
  // not for windows.
  const TimePoint heard = observed.trouble_ended_at
                              ? first_ack_of_a_packet_sent_after(watch, from).value_or(observed.ended_at)
                              : observed.ended_at;
  m.first_ack_s = to_seconds(heard - from);
  m.low_window_s = to_seconds(
      low_time(windows, variant.measure.low_window_packets * packet, heard, observed.ended_at).total);
  const LowTime floor = low_time(windows, kAboveFloorPackets * packet - 1, heard, observed.ended_at);
  m.floor_s = to_seconds(floor.total);
  m.longest_floor_s = to_seconds(floor.longest);
}

}  // namespace

std::optional<TimePoint> find_anchor(const MeasureConfig& config, const Observed& observed) {
  const Watch& watch = *observed.server;
  if (config.anchor == Anchor::last_cut) {
    if (watch.recovery_exits().empty()) return std::nullopt;
    return watch.recovery_exits().back();
  }
  if (!observed.trouble_ended_at) return std::nullopt;
  return first_ack_of_a_packet_sent_after(watch, *observed.trouble_ended_at);
}

Measures measure(const Variant& variant, const Observed& observed) {
  const Watch& watch = *observed.server;
  const double deadline_s = to_seconds(variant.deadline);
  const auto since_start = [&](const std::optional<TimePoint>& t) {
    return t ? to_seconds(*t - observed.start) : deadline_s;
  };
  Measures m;
  m.completed = observed.completed_at.has_value();
  m.completion_s = since_start(observed.completed_at);
  m.confirmed_s = since_start(observed.confirmed_at);
  const TimePoint last_loss = watch.losses().empty() ? observed.start : watch.losses().back().at;
  m.recovery_flips = count(static_cast<std::size_t>(
      std::ranges::count_if(watch.recovery_entries(), [&](TimePoint t) { return t > last_loss; })));
  m.losses = count(watch.losses().size());
  if (observed.trouble_ended_at) {
    m.late_losses = count(static_cast<std::size_t>(std::ranges::count_if(
        watch.losses(), [&](const Watch::Loss& loss) { return loss.sent_at > *observed.trouble_ended_at; })));
  }
  m.persistent_congestions = count(observed.server_stats.recovery.persistent_congestion_events);
  m.uncaused_recoveries = count(observed.server_stats.recovery.recovery_entries_without_cause);
  m.packets_sent = count(watch.ledger().sent());
  measure_windows(variant, observed, m);
  return m;
}

}  // namespace quell::lab
