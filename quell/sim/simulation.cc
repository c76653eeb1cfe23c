#include "quell/sim/simulation.h"

#include <algorithm>
#include <utility>

#include "quell/base/check.h"

namespace quell::sim {

const char* to_string(Outcome outcome) {
  switch (outcome) {
    case Outcome::done:
      return "done";
    case Outcome::deadline:
      return "deadline passed";
    case Outcome::budget:
      return "event budget spent";
    case Outcome::deadlock:
      return "nothing left to happen";
  }
  return "?";
}

Simulation::Simulation(const path::PathConfig& path, const Rng& rng)
    : path_(path, rng.fork("path"), kStart) {}

Simulation::Simulation(const path::PathConfig& path, const Rng& rng, Node& client,
                       const HostConfig& client_host, Node& server, const HostConfig& server_host)
    : Simulation(path, rng) {
  add_flow(client, client_host, server, server_host);
}

std::uint32_t Simulation::add_flow(Node& client, const HostConfig& client_host, Node& server,
                                   const HostConfig& server_host) {
  const auto flow = static_cast<std::uint32_t>(stations_.size() / 2);
  stations_.push_back(Station{{flow, Side::client}, Host{client_host, client}, {}, {}});
  stations_.push_back(Station{{flow, Side::server}, Host{server_host, server}, {}, {}});
  return flow;
}

Outcome Simulation::run(const std::function<bool()>& is_done, const Limits& limits) {
  for (Station& station : stations_) plan_turn(station);
  while (!is_done()) {
    const auto next = find_next();
    if (!next) return Outcome::deadlock;
    if (next->at > limits.deadline) return Outcome::deadline;
    if (events_ >= limits.events) return Outcome::budget;
    now_ = std::max(now_, next->at);
    happen(*next);
  }
  return Outcome::done;
}

std::optional<Simulation::Next> Simulation::find_next() {
  std::optional<Next> next;
  const auto consider = [&next](Next::Kind kind, TimePoint at, Station* station) {
    if (!next || at < next->at || (at == next->at && kind < next->kind)) next = Next{kind, at, station};
  };
  if (const auto at = path_.next_event()) consider(Next::Kind::path, *at, nullptr);
  for (Station& station : stations_) {
    if (!station.outbox.empty()) {
      consider(Next::Kind::departure, station.outbox[station.outbox.first()].sent_at, &station);
    }
    if (station.turn_at) consider(Next::Kind::turn, *station.turn_at, &station);
  }
  return next;
}

void Simulation::happen(const Next& next) {
  switch (next.kind) {
    case Next::Kind::path:
      return poll_path();
    case Next::Kind::departure: {
      auto& outbox = next.station->outbox;
      path::Packet packet = std::move(outbox[outbox.first()]);
      outbox.pop_front();
      return enter_path(*next.station, std::move(packet));
    }
    case Next::Kind::turn:
      return run_turn(*next.station);
  }
}

void Simulation::plan_turn(Station& station) {
  const auto at = station.host.next_turn();
  station.turn_at = at ? std::optional{std::max(*at, now_)} : std::nullopt;
}

void Simulation::run_turn(Station& station) {
  ++events_;
  const auto send = [&](Bytes datagram, const Envelope& envelope, TimePoint leaves_at) {
    leave(station, datagram, envelope, leaves_at);
  };
  const auto recycle = [&](std::vector<std::uint8_t> buffer) { path_.recycle(std::move(buffer)); };
  station.host.run_turn(send, recycle, now_);
  plan_turn(station);
  if (tap_ != nullptr) tap_->after_turn(station.place, station.turn_at, now_);
}

void Simulation::leave(Station& station, Bytes datagram, const Envelope& envelope, TimePoint leaves_at) {
  path::Packet packet = path_.make_packet(datagram);
  packet.way = station.place.side == Side::client ? path::Way::up : path::Way::down;
  packet.flow = station.place.flow;
  packet.binding = envelope.binding;
  packet.ecn = envelope.ecn;
  packet.sent_at = leaves_at;
  station.outbox.push_back() = std::move(packet);
}

void Simulation::enter_path(Station& station, path::Packet packet) {
  Tap::Entered entered{station.place, packet.bytes.size(), packet.ecn};
  entered.fate = path_.send(std::move(packet), now_);
  const path::Way way = station.place.side == Side::client ? path::Way::up : path::Way::down;
  digest_.add(static_cast<std::uint64_t>(now_.time_since_epoch().count()));
  digest_.add(std::uint64_t{entered.from.flow} << 48 | entered.size << 8 |
              static_cast<std::uint64_t>(way) << 4 | static_cast<std::uint64_t>(entered.fate));
  if (tap_ != nullptr) tap_->on_entered(entered, now_);
}

void Simulation::poll_path() {
  while (auto exit = path_.poll(now_)) {
    path::Packet& packet = exit->packet;
    if (tap_ != nullptr) tap_->on_left(exit->fate, packet, now_);
    if (exit->fate != path::Fate::delivered) {
      digest_.add(static_cast<std::uint64_t>(now_.time_since_epoch().count()));
      digest_.add(packet.bytes.size() << 8 | static_cast<std::uint64_t>(exit->fate));
      path_.recycle(std::move(packet.bytes));
      continue;
    }
    ++events_;
    Station& to = station(packet.flow, packet.way == path::Way::up ? Side::server : Side::client);
    to.host.arrive({.at = now_, .bytes = std::move(packet.bytes), .envelope = {packet.ecn, packet.binding}});
    plan_turn(to);
  }
}

}  // namespace quell::sim
