#include "quell/lab/variant_toml.h"

#include <string>

namespace quell::lab {
namespace {

using path::DirectionConfig;
using path::Opening;

void read_trigger(TomlReader& in, path::Trigger& trigger) {
  in.read_enum<Opening>("opens", trigger.opening,
                        {{"start", Opening::start},
                         {"first-client-1rtt", Opening::first_one_rtt_up},
                         {"first-server-1rtt", Opening::first_one_rtt_down}});
  in.read("after", trigger.after);
}

// The directions that `way` names: "up", "down" or "both".
std::vector<DirectionConfig*> read_way(TomlReader& in, path::PathConfig& path) {
  enum class Ways { both, up, down } ways = Ways::both;
  in.read_enum<Ways>("way", ways, {{"both", Ways::both}, {"up", Ways::up}, {"down", Ways::down}});
  std::vector<DirectionConfig*> directions;
  if (ways != Ways::down) directions.push_back(&path.up);
  if (ways != Ways::up) directions.push_back(&path.down);
  return directions;
}

void read_probability(TomlReader& in, std::string_view key, double& target) {
  in.read(key, target);
  if (target < 0 || target > 1) in.complain(key, "must be between 0 and 1");
}

void read_loss(TomlReader& in, path::PathConfig& path) {
  path::LossPhase phase;
  const auto directions = read_way(in, path);
  read_trigger(in, phase.from);
  in.read("lasts", phase.lasts);
  read_probability(in, "probability", phase.probability);
  in.read("label", phase.label);
  in.table("bursts", [&](TomlReader& bursts) {
    path::GilbertElliott model;
    read_probability(bursts, "good_to_bad", model.good_to_bad);
    read_probability(bursts, "bad_to_good", model.bad_to_good);
    read_probability(bursts, "loss_in_good", model.loss_in_good);
    read_probability(bursts, "loss_in_bad", model.loss_in_bad);
    phase.bursts = model;
  });
  if (!phase.bursts) in.require("probability");
  for (DirectionConfig* direction : directions) direction->losses.push_back(phase);
}

void read_drop(TomlReader& in, path::PathConfig& path) {
  path::DropScript script;
  const auto directions = read_way(in, path);
  read_trigger(in, script.from);
  in.read("every", script.every);
  in.read("times", script.times);
  in.read_bytes("least_size", script.least_size);
  for (DirectionConfig* direction : directions) direction->drops.push_back(script);
}

void read_link(TomlReader& in, path::LinkConfig& link) {
  in.read("rate", link.rate);
  in.read_bytes("queue", link.queue_bytes);
  in.read("jitter", link.jitter);
}

void read_path(TomlReader& in, Variant& variant) {
  path::PathConfig& path = variant.path;
  in.require("rtt");
  in.read("rtt", variant.rtt);
  path.up.link.delay = variant.rtt / 2;
  path.down.link.delay = variant.rtt - path.up.link.delay;
  read_link(in, path.up.link);
  read_link(in, path.down.link);
  for (auto [key, direction] : {std::pair{"up", &path.up}, std::pair{"down", &path.down}}) {
    in.table(key, [&](TomlReader& inner) {
      inner.read("delay", direction->link.delay);
      read_link(inner, direction->link);
      inner.table("thin", [&](TomlReader& thin) {
        thin.read("keep_one_in", direction->thin.keep_one_in);
        thin.read_bytes("at_most", direction->thin.at_most);
      });
    });
  }
  in.each("loss", [&](TomlReader& loss) { read_loss(loss, path); });
  in.each("drop", [&](TomlReader& drop) { read_drop(drop, path); });
}

void read_host(TomlReader& in, sim::HostConfig& host) {
  in.read_enum<sim::ClockReading>(
      "clock", host.clock,
      {{"per-event", sim::ClockReading::per_event}, {"per-turn", sim::ClockReading::per_turn}});
  in.read("timer_granularity", host.timer_granularity);
  in.read("wake_latency", host.wake_latency);
  in.read("turn_cost", host.turn_cost);
  in.read("datagram_cost", host.datagram_cost);
}

// What stands in [host] itself holds for both ends.
void read_hosts(TomlReader& in, Variant& variant) {
  read_host(in, variant.client_host);
  read_host(in, variant.server_host);
  in.table("client", [&](TomlReader& inner) { read_host(inner, variant.client_host); });
  in.table("server", [&](TomlReader& inner) { read_host(inner, variant.server_host); });
}

void read_transport(TomlReader& in, TransportConfig& transport) {
  in.read("initial_rtt", transport.initial_rtt);
  in.read("max_ack_delay", transport.max_ack_delay);
  in.read("idle_timeout", transport.idle_timeout);
  in.read("handshake_timeout", transport.handshake_timeout);
  in.read("initial_window_packets", transport.initial_window_packets);
  in.read_bytes("max_datagram_size", transport.max_datagram_size);
  in.read("pacing", transport.pacing);
}

void read_load(TomlReader& in, LoadConfig& load) {
  in.read_enum<LoadKind>(
      "kind", load.kind,
      {{"http3", LoadKind::http3}, {"stream", LoadKind::stream}, {"handshake", LoadKind::handshake}});
  in.read_bytes("bytes", load.bytes);
  in.read("pause_after", load.pause_after);
  in.read("pause_for", load.pause_for);
  if (load.kind != LoadKind::handshake) in.require("bytes");
}

void read_measure(TomlReader& in, MeasureConfig& measure) {
  in.read_enum<Anchor>(
      "anchor", measure.anchor,
      {{"first-ack-after-trouble", Anchor::first_ack_after_trouble}, {"last-cut", Anchor::last_cut}});
  in.read("rtts", measure.rtts);
  in.read("low_window_packets", measure.low_window_packets);
}

}  // namespace

void read_variant(TomlReader& in, Variant& variant) {
  in.require("path");
  in.require("load");
  in.table("path", [&](TomlReader& inner) { read_path(inner, variant); });
  in.table("host", [&](TomlReader& inner) { read_hosts(inner, variant); });
  in.table("transport", [&](TomlReader& inner) { read_transport(inner, variant.transport); });
  in.table("load", [&](TomlReader& inner) { read_load(inner, variant.load); });
  in.table("measure", [&](TomlReader& inner) { read_measure(inner, variant.measure); });
  in.table("limits", [&](TomlReader& inner) {
    inner.read("deadline", variant.deadline);
    inner.read("events", variant.events);
  });
}

}  // namespace quell::lab
