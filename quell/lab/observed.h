// What was seen of a run? All that measures are made from; valid while the run stands.
#pragma once

#include <algorithm>
#include <optional>

#include "quell/connection/stats.h"
#include "quell/lab/conduct.h"
#include "quell/lab/crossings.h"
#include "quell/lab/cubic_replay.h"
#include "quell/lab/scenario.h"
#include "quell/lab/traffic.h"
#include "quell/lab/watch.h"
#include "quell/path/rate_schedule.h"

namespace quell::lab {

struct Observed {
  const Variant* variant = nullptr;
  const Watch* sender = nullptr;
  const CubicReplay* replay = nullptr;  // null: nobody asked how far the oracle is
  TimePoint start{};
  TimePoint ended_at{};
  std::optional<TimePoint> completed_at;
  std::optional<TimePoint> confirmed_at;
  std::optional<TimePoint> trouble_ended_at;  // nothing: it had not
  ConnectionStats sender_stats;               // the last ones
  const Crossings* crossings = nullptr;       // of all flows
  const path::RateSchedule* rates = nullptr;  // of the link that carries the data

  std::uint32_t flows() const { return static_cast<std::uint32_t>(variant->flows.size() + 1); }
  // The stretch that [measure] asks for.
  TimePoint window_from() const { return start + variant->measure.from; }
  TimePoint window_to() const {
    const Duration to = variant->measure.to;
    return to > Duration{0} ? std::min(start + to, ended_at) : ended_at;
  }
  const Conduct* conduct = nullptr;  // the sender's
  const Traffic* traffic = nullptr;
};

// From which moment `cwnd_after` counts; nothing when that never came.
std::optional<TimePoint> find_anchor(const Observed& observed);
// When the sender heard that a packet was acknowledged which it had sent after `t`.
std::optional<TimePoint> first_ack_of_a_packet_sent_after(const Watch& watch, TimePoint t);

// Of the link that carries what the sender sends; nothing: unlimited, or it changes over time.
std::optional<Rate> link_rate(const Observed& observed);
// When the first datagram reached the receiving end at `t` or later; the end of the run when none did.
TimePoint first_delivery_after(const Observed& observed, TimePoint t);

}  // namespace quell::lab
