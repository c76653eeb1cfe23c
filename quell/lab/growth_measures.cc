// How did the window grow, was it used, and was it given back after a cut for nothing?
#include <algorithm>

#include "quell/lab/measure_groups.h"

namespace quell::lab {
namespace {

double packets(const Observed& o, double bytes) {
  const ByteCount packet = o.sender->max_datagram_size();
  return packet == 0 ? 0 : bytes / static_cast<double>(packet);
}

double packets(const Observed& o, ByteCount bytes) {
  return packets(o, static_cast<double>(bytes));
}

// Nothing: the run ended before.
std::optional<TimePoint> warm_up_ends_at(const Observed& o) {
  const MeasureConfig& config = o.variant->measure;
  const auto& entries = o.sender->recovery_entries();
  if (entries.size() < config.warm_up_cuts) return std::nullopt;
  TimePoint end = o.start + config.warm_up;
  if (config.warm_up_cuts > 0) end = std::max(end, entries[config.warm_up_cuts - 1]);
  return end < o.ended_at ? std::optional{end} : std::nullopt;
}

double mean_window(const Observed& o) {
  const auto from = warm_up_ends_at(o);
  const auto& windows = o.sender->windows();
  if (!from) return 0;
  double byte_seconds = 0;
  for (std::size_t i = 0; i < windows.size(); ++i) {
    const TimePoint begin = std::max(windows[i].at, *from);
    const TimePoint end = i + 1 < windows.size() ? windows[i + 1].at : o.ended_at;
    if (end > begin) byte_seconds += static_cast<double>(windows[i].cwnd) * to_seconds(end - begin);
  }
  return packets(o, byte_seconds / to_seconds(o.ended_at - *from));
}

double change(const Observed& o) {
  const auto from = warm_up_ends_at(o);
  if (!from) return 0;
  return packets(o, o.sender->cwnd_at(o.ended_at)) - packets(o, o.sender->cwnd_at(*from));
}

double still_rounds(const Observed& o) {
  const auto from = warm_up_ends_at(o);
  const Duration rtt = o.variant->rtt;
  if (!from || rtt <= Duration{0}) return 0;
  double still = 0;
  for (TimePoint t = *from; t + rtt <= o.ended_at; t += rtt) {
    if (o.sender->cwnd_at(t + rtt) <= o.sender->cwnd_at(t)) ++still;
  }
  return still;
}

double growth_per_rtt(const Observed& o) {
  const auto from = warm_up_ends_at(o);
  if (!from) return 0;
  double most = 1;
  for (const Watch::Window& window : o.sender->windows()) {
    const ByteCount before = o.sender->cwnd_at(window.at - o.variant->rtt);
    if (window.at - o.variant->rtt < *from || before == 0) continue;
    most = std::max(most, static_cast<double>(window.cwnd) / static_cast<double>(before));
  }
  return most;
}

double cuts(const Observed& o) {
  const auto& windows = o.sender->windows();
  double count = 0;
  for (std::size_t i = 1; i < windows.size(); ++i) count += windows[i].cwnd < windows[i - 1].cwnd ? 1 : 0;
  return count;
}

double most_in_flight(const Observed& o) {
  return o.sender->peaks().empty() ? 0 : packets(o, o.sender->peaks().back().in_flight);
}

double window_excess(const Observed& o) {
  const auto& windows = o.sender->windows();
  const auto& peaks = o.sender->peaks();
  double most = 0;
  for (const Watch::Window& window : windows) {
    const auto after = std::ranges::upper_bound(peaks, window.at, {}, &Watch::Peak::at);
    const ByteCount used = after == peaks.begin() ? 0 : std::prev(after)->in_flight;
    const ByteCount allowed = std::max(2 * used, windows.front().cwnd);
    most = std::max(most, static_cast<double>(window.cwnd) / static_cast<double>(allowed));
  }
  return most;
}

// The window before the last cut; zero when there was none.
ByteCount window_before_last_cut(const Observed& o) {
  const auto& windows = o.sender->windows();
  for (std::size_t i = windows.size(); i-- > 1;) {
    if (windows[i].cwnd < windows[i - 1].cwnd) return windows[i - 1].cwnd;
  }
  return 0;
}

double restored_after(const Observed& o) {
  const auto& late = o.sender->late_acks();
  if (late.empty()) return 0;
  const ByteCount before = window_before_last_cut(o);
  if (o.sender->cwnd_at(late.back()) >= before) return 0;
  for (const Watch::Window& window : o.sender->windows()) {
    if (window.at > late.back() && window.cwnd >= before) return to_seconds(window.at - late.back());
  }
  return to_seconds(o.ended_at - late.back());
}

constexpr Measure kMeasures[] = {
    {"cwnd_mean", "mean window in packets over time, after the warm-up", mean_window},
    {"cwnd_change", "last window less the one at the end of the warm-up, in packets", change},
    {"still_rounds", "round trips after the warm-up in which the window did not grow", still_rounds},
    {"growth_per_rtt", "largest factor of growth within a round trip, after the warm-up", growth_per_rtt},
    {"cuts", "times that the window fell", cuts},
    {"oracle_distance", "farthest that the window was from what RFC 9438 asks for at an ACK, in packets",
     [](const Observed& o) { return o.replay ? o.replay->distance() : 0; }},
    {"oracle_acks", "ACKs at which the two were compared",
     [](const Observed& o) { return o.replay ? static_cast<double>(o.replay->comparisons()) : 0; }},
    {"in_flight_most", "most packets' worth of bytes ever in flight", most_in_flight},
    {"window_excess", "largest window over twice the most in flight until then, or over the initial window",
     window_excess},
    {"spurious_losses", "packets acknowledged after they had been declared lost",
     [](const Observed& o) { return static_cast<double>(o.sender->late_acks().size()); }},
    {"restored_s", "time from the last late ACK until the window is what it was before the last cut",
     restored_after},
};

}  // namespace

std::span<const Measure> growth_measures() {
  return kMeasures;
}

}  // namespace quell::lab
