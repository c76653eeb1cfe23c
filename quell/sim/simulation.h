// How does virtual time pass? Pairs of hosts, one path that they share, and a choice of what happens next.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <vector>

#include "quell/base/ring.h"
#include "quell/base/rng.h"
#include "quell/path/path.h"
#include "quell/sim/digest.h"
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

  // `rng` decides the path's chances.
  Simulation(const path::PathConfig& path, const Rng& rng);
  // With its first flow.
  Simulation(const path::PathConfig& path, const Rng& rng, Node& client, const HostConfig& client_host,
             Node& server, const HostConfig& server_host);

  // Another client and its server on the same path; before the first run. The nodes must outlive the
  // simulation. Gives the flow's number, counted from 0.
  std::uint32_t add_flow(Node& client, const HostConfig& client_host, Node& server,
                         const HostConfig& server_host);
  // Makes a flow's way behind the bottleneck longer, each way by this much.
  void set_flow_delay(std::uint32_t flow, Duration extra) { path_.set_flow_delay(flow, extra); }

  void set_tap(Tap* tap) { tap_ = tap; }
  // Runs until `is_done` holds after an event, or a limit is met. May be called again to go on.
  Outcome run(const std::function<bool()>& is_done, const Limits& limits);

  TimePoint now() const { return now_; }
  // Arrivals and turns so far.
  std::uint64_t events() const { return events_; }
  std::uint64_t digest() const { return digest_.value(); }
  const path::Path& path() const { return path_; }

 private:
  // A host, what its processor has yet to hand to the path, and its next turn.
  struct Station {
    Place place;
    Host host;
    Ring<path::Packet> outbox{};  // by `sent_at`
    std::optional<TimePoint> turn_at;
  };
  // What happens next; at the same instant: what is on the path, then what enters it, then turns, flow by
  // flow, clients first.
  struct Next {
    enum class Kind : std::uint8_t { path, departure, turn } kind;
    TimePoint at;
    Station* station;
  };
  std::optional<Next> find_next();
  void happen(const Next& next);
  Station& station(std::uint32_t flow, Side side) {
    return stations_[flow * 2 + (side == Side::client ? 0U : 1U)];
  }

  void plan_turn(Station& station);
  void run_turn(Station& station);
  void leave(Station& station, Bytes datagram, const Envelope& envelope, TimePoint leaves_at);
  void enter_path(Station& station, path::Packet packet);
  void poll_path();

  path::Path path_;
  std::deque<Station> stations_;  // by flow: its client, its server
  Digest digest_;
  Tap* tap_ = nullptr;
  TimePoint now_ = kStart;
  std::uint64_t events_ = 0;
};

}  // namespace quell::sim
