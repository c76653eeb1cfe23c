// How large was the window, and for how long was it too small?
#include <algorithm>

#include "quell/lab/measure_groups.h"

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

// Before the first ACK nobody can know that the trouble is over: how long that takes is for probes to say,
// not for windows.
TimePoint heard_after_trouble(const Observed& o) {
  if (!o.trouble_ended_at) return o.ended_at;
  return first_ack_of_a_packet_sent_after(*o.sender, *o.trouble_ended_at).value_or(o.ended_at);
}

LowTime low_time_after_trouble(const Observed& o, ByteCount limit) {
  return low_time(o.sender->windows(), limit, heard_after_trouble(o), o.ended_at);
}

LowTime floor_time(const Observed& o) {
  return low_time_after_trouble(o, kAboveFloorPackets * o.sender->max_datagram_size() - 1);
}

double packets(const Observed& o, ByteCount bytes) {
  const ByteCount packet = o.sender->max_datagram_size();
  return packet == 0 ? 0 : static_cast<double>(bytes) / static_cast<double>(packet);
}

double window_after_anchor(const Observed& o) {
  const auto anchor = find_anchor(o);
  if (!anchor) return 0;
  const TimePoint then = *anchor + o.variant->rtt * o.variant->measure.rtts;
  return then <= o.ended_at ? packets(o, o.sender->cwnd_at(then)) : 0;
}

double extreme(const Observed& o, bool least) {
  const auto& windows = o.sender->windows();
  if (windows.empty()) return 0;
  const auto [low, high] = std::ranges::minmax(windows, {}, &Watch::Window::cwnd);
  return packets(o, least ? low.cwnd : high.cwnd);
}

constexpr Measure kMeasures[] = {
    {"first_ack_s", "time from the end of the trouble to the first ACK of a packet sent after it",
     [](const Observed& o) {
       return to_seconds(heard_after_trouble(o) - o.trouble_ended_at.value_or(o.ended_at));
     }},
    {"low_window_s", "time at a low window from that ACK on",
     [](const Observed& o) {
       const ByteCount limit = o.variant->measure.low_window_packets * o.sender->max_datagram_size();
       return to_seconds(low_time_after_trouble(o, limit).total);
     }},
    {"floor_s", "time at the floor (no third packet fits) after the trouble",
     [](const Observed& o) { return to_seconds(floor_time(o).total); }},
    {"longest_floor_s", "longest stretch at the floor after the trouble",
     [](const Observed& o) { return to_seconds(floor_time(o).longest); }},
    {"cwnd_after", "window in packets some round trips after the anchor; zero when the run ended before",
     window_after_anchor},
    {"cwnd_least", "least window in packets", [](const Observed& o) { return extreme(o, true); }},
    {"cwnd_most", "largest window in packets", [](const Observed& o) { return extreme(o, false); }},
    {"cwnd_final", "window in packets at the end",
     [](const Observed& o) {
       return o.sender->windows().empty() ? 0 : packets(o, o.sender->windows().back().cwnd);
     }},
};

}  // namespace

std::span<const Measure> window_measures() {
  return kMeasures;
}

}  // namespace quell::lab
