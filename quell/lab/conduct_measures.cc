// How did the sender probe, how much did it let go at once, what did it believe of the path, how did it end?
#include <algorithm>
#include <cmath>

#include "quell/lab/measure_groups.h"

namespace quell::lab {
namespace {

// From the end of the trouble to the first byte that reaches the receiver, over the PTO that ran then.
double first_data_ptos(const Observed& o) {
  if (!o.trouble_ended_at) return 0;
  const Conduct::Probe* current = nullptr;
  for (const Conduct::Probe& probe : o.conduct->probes()) {
    if (probe.at <= *o.trouble_ended_at) current = &probe;
  }
  if (current == nullptr || current->period <= Duration{0}) return 0;
  const Duration wait = first_delivery_after(o, *o.trouble_ended_at) - *o.trouble_ended_at;
  return to_seconds(wait) / to_seconds(current->period);
}

// How far the window has moved since the lie came, either way, in packets.
double lie_window_change(const Observed& o) {
  const ByteCount packet = o.sender->max_datagram_size();
  if (!o.conduct->lied_at() || packet == 0) return 0;
  const double before = static_cast<double>(o.sender->cwnd_at(*o.conduct->lied_at() - Duration{1}));
  double most = 0;
  for (const Watch::Window& window : o.sender->windows()) {
    if (window.at >= *o.conduct->lied_at())
      most = std::max(most, std::abs(static_cast<double>(window.cwnd) - before));
  }
  return most / static_cast<double>(packet);
}

double lie_close_s(const Observed& o) {
  const auto& close = o.conduct->close();
  if (!o.conduct->lied_at() || !close || !close->is_local) return to_seconds(o.variant->deadline);
  return to_seconds(close->at - *o.conduct->lied_at());
}

constexpr Measure kMeasures[] = {
    {"least_probe_growth", "smallest gap between probes over the gap before it; 0: there were not two gaps",
     [](const Observed& o) { return o.conduct->least_probe_growth(); }},
    {"most_probe_growth", "largest gap between probes over the gap before it",
     [](const Observed& o) { return o.conduct->most_probe_growth(); }},
    {"first_data_ptos", "time from the end of the trouble until data arrives, over the PTO that ran then",
     first_data_ptos},
    {"longest_silence_s", "longest time between two packets in flight, once the handshake was confirmed",
     [](const Observed& o) { return to_seconds(o.sender->longest_silence().length()); }},
    {"mtu_probes_lost", "lost packets that were larger than max_datagram_size",
     [](const Observed& o) { return static_cast<double>(o.conduct->mtu_probes_lost()); }},
    {"datagram_final", "max_datagram_size at the end, in bytes",
     [](const Observed& o) { return static_cast<double>(o.sender->max_datagram_size()); }},
    {"burst_share", "largest burst over what the pacer may let go at once, max(10 packets, 2 ms of rate)",
     [](const Observed& o) { return o.conduct->burst_share(); }},
    {"least_min_rtt_s", "least min_rtt that the sender believed",
     [](const Observed& o) { return to_seconds(o.conduct->least_min_rtt()); }},
    {"most_smoothed_rtt_s", "largest smoothed_rtt that the sender believed",
     [](const Observed& o) { return to_seconds(o.conduct->most_smoothed_rtt()); }},
    {"close_code", "transport error with which the sender closed the connection; -1: it did not",
     [](const Observed& o) {
       const auto& close = o.conduct->close();
       return close && close->is_local && !close->is_application ? static_cast<double>(close->code) : -1;
     }},
    {"lie_close_s",
     "time from the arrival of the client's lie until the sender closed; the deadline if never", lie_close_s},
    {"lie_window_change", "how far the window moved after the client's lie had come", lie_window_change},
};

}  // namespace

std::span<const Measure> conduct_measures() {
  return kMeasures;
}

}  // namespace quell::lab
