#include "quell/sim/simulation.h"

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

Simulation::Simulation(const path::PathConfig& path, const Rng& rng, Node& client,
                       const HostConfig& client_host, Node& server, const HostConfig& server_host)
    : path_(path, rng.fork("path"), kStart),
      places_{Place{Host{client_host, client}, 0, {}}, Place{Host{server_host, server}, 0, {}}} {}

Outcome Simulation::run(const std::function<bool()>& is_done, const Limits& limits) {
  plan_turn(Side::client);
  plan_turn(Side::server);
  while (!is_done()) {
    if (queue_.empty()) return Outcome::deadlock;
    if (queue_.next_at() > limits.deadline) return Outcome::deadline;
    if (events_ >= limits.events) return Outcome::budget;
    QUELL_CHECK(queue_.next_at() >= now_);
    now_ = queue_.next_at();
    Event event = queue_.pop();
    if (event.kind == Event::Kind::arrival) {
      place(event.side).host.arrive(std::move(event.arrival));
      plan_turn(event.side);
    } else if (event.ticket == place(event.side).ticket) {
      place(event.side).turn_at.reset();
      run_turn(event.side);
    } else {
      continue;  // a turn that was planned anew
    }
    ++events_;
  }
  return Outcome::done;
}

void Simulation::plan_turn(Side side) {
  Place& p = place(side);
  const auto at = p.host.next_turn();
  if (at == p.turn_at) return;
  ++p.ticket;
  p.turn_at = at;
  if (!at) return;
  queue_.push(std::max(*at, now_),
              Event{.kind = Event::Kind::turn, .side = side, .ticket = p.ticket, .arrival = {}});
}

void Simulation::run_turn(Side side) {
  const auto send_one = [&](Bytes datagram, Ecn ecn, TimePoint leaves_at) {
    send(side, datagram, ecn, leaves_at);
  };
  const auto recycle = [&](std::vector<std::uint8_t> buffer) { spare_buffers_.push_back(std::move(buffer)); };
  place(side).host.run_turn(send_one, recycle, now_);
  plan_turn(side);
  if (tap_ != nullptr) tap_->after_turn(side, place(side).turn_at, now_);
}

void Simulation::send(Side from, Bytes datagram, Ecn ecn, TimePoint leaves_at) {
  const path::Way way = from == Side::client ? path::Way::up : path::Way::down;
  const path::Passage passage = path_.send(way, datagram, leaves_at);
  digest_.add(static_cast<std::uint64_t>(leaves_at.time_since_epoch().count()));
  digest_.add(datagram.size() << 8 | static_cast<std::uint64_t>(way) << 4 |
              static_cast<std::uint64_t>(passage.fate));
  if (tap_ != nullptr)
    tap_->on_datagram({.from = from, .bytes = datagram, .ecn = ecn, .passage = passage}, leaves_at);
  if (passage.fate != path::Fate::delivered) return;
  queue_.push(passage.arrives_at,
              Event{.kind = Event::Kind::arrival,
                    .side = other(from),
                    .ticket = 0,
                    .arrival = {.at = passage.arrives_at, .bytes = take_buffer(datagram), .ecn = ecn}});
}

std::vector<std::uint8_t> Simulation::take_buffer(Bytes content) {
  std::vector<std::uint8_t> buffer;
  if (!spare_buffers_.empty()) {
    buffer = std::move(spare_buffers_.back());
    spare_buffers_.pop_back();
  }
  buffer.assign(content.begin(), content.end());
  return buffer;
}

}  // namespace quell::sim
