// How does virtual time pass? Two hosts, a path between them, and a queue of what happens next.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "quell/base/rng.h"
#include "quell/path/path.h"
#include "quell/sim/digest.h"
#include "quell/sim/event_queue.h"
#include "quell/sim/host.h"
#include "quell/sim/tap.h"

namespace quell::sim {

// Virtual time begins here, so that no event falls on the timeline's zero, which code may use for "never".
inline constexpr TimePoint kStart{seconds{1}};

enum class Outcome : std::uint8_t {
  done,      // the predicate held
  deadline,  // virtual time ran out
  budget,    // too many events: somebody is spinning
  deadlock   // nothing will ever happen again
};
const char* to_string(Outcome outcome);

class Simulation {
 public:
  struct Limits {
    TimePoint deadline = TimePoint::max();
    std::uint64_t events = UINT64_MAX;
  };

  // The nodes must outlive the simulation. `rng` decides the path's chances.
  Simulation(const path::PathConfig& path, const Rng& rng, Node& client, const HostConfig& client_host,
             Node& server, const HostConfig& server_host);

  void set_tap(Tap* tap) { tap_ = tap; }
  // Runs until `is_done` holds after an event, or a limit is met. May be called again to go on.
  Outcome run(const std::function<bool()>& is_done, const Limits& limits);

  TimePoint now() const { return now_; }
  std::uint64_t events() const { return events_; }
  std::uint64_t digest() const { return digest_.value(); }
  const path::Path& path() const { return path_; }

 private:
  struct Event {
    enum class Kind : std::uint8_t { arrival, turn } kind = Kind::turn;
    Side side = Side::client;
    std::uint64_t ticket = 0;  // turns: stale unless it is the host's current one
    Arrival arrival;
  };
  struct Place {
    Host host;
    std::uint64_t ticket = 0;
    std::optional<TimePoint> turn_at;
  };
  Place& place(Side side) { return places_[static_cast<std::size_t>(side)]; }

  void plan_turn(Side side);
  void run_turn(Side side);
  void send(Side from, Bytes datagram, Ecn ecn, TimePoint leaves_at);
  std::vector<std::uint8_t> take_buffer(Bytes content);

  path::Path path_;
  std::array<Place, 2> places_;
  EventQueue<Event> queue_;
  std::vector<std::vector<std::uint8_t>> spare_buffers_;
  Digest digest_;
  Tap* tap_ = nullptr;
  TimePoint now_ = kStart;
  std::uint64_t events_ = 0;
};

}  // namespace quell::sim
