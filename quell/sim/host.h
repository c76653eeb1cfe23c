// When does a machine get round to its work, and what time does it believe it is? Event loops wake late, run
// timers on a grid and stamp a whole batch of packets with one reading of the clock; some bugs live on
// exactly that.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "quell/sim/node.h"

namespace quell::sim {

enum class ClockReading : std::uint8_t {
  per_event,  // every datagram is handled in a turn of its own, at its own time
  per_turn    // all that has arrived when the loop wakes is handled at the turn's time
};

struct HostConfig {
  ClockReading clock = ClockReading::per_turn;
  // Timers fire at the next multiple; zero: exactly.
  Duration timer_granularity{0};
  // From the first thing to do until the loop runs.
  Duration wake_latency{0};
  // Processor time of a turn and of each datagram in or out; packets leave, and the next turn begins, that
  // much later.
  Duration turn_cost{0};
  Duration datagram_cost{0};
  bool operator==(const HostConfig&) const = default;
};

struct Arrival {
  TimePoint at;
  std::vector<std::uint8_t> bytes;
  Envelope envelope;
};

// Invariant: turns never run backwards in time, and never before the previous one has ended.
class Host {
 public:
  Host(const HostConfig& config, Node& node) : config_(config), node_(node) {}

  void arrive(Arrival arrival) { arrivals_.push_back(std::move(arrival)); }
  // When the loop wants its next turn; nothing: it sleeps until something arrives.
  std::optional<TimePoint> next_turn();
  // `send` gets each datagram with the time at which it leaves; `recycle` gets the buffers of handled
  // arrivals.
  using Send = std::function<void(Bytes datagram, const Envelope& envelope, TimePoint leaves_at)>;
  using Recycle = std::function<void(std::vector<std::uint8_t>)>;
  void run_turn(const Send& send, const Recycle& recycle, TimePoint now);

 private:
  std::size_t handle_arrivals(const Recycle& recycle, TimePoint now);
  TimePoint on_grid(TimePoint t) const;

  HostConfig config_;
  Node& node_;
  std::deque<Arrival> arrivals_;
  TimePoint free_at_{};
};

}  // namespace quell::sim
