// What was seen of a run? All that measures are made from; valid while the run stands.
#pragma once

#include <optional>

#include "quell/connection/stats.h"
#include "quell/lab/cubic_replay.h"
#include "quell/lab/scenario.h"
#include "quell/lab/watch.h"

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
};

// From which moment `cwnd_after` counts; nothing when that never came.
std::optional<TimePoint> find_anchor(const Observed& observed);
// When the sender heard that a packet was acknowledged which it had sent after `t`.
std::optional<TimePoint> first_ack_of_a_packet_sent_after(const Watch& watch, TimePoint t);

}  // namespace quell::lab
