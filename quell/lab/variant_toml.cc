#include "quell/lab/variant_toml.h"

#include "quell/cc/registry.h"
#include "quell/lab/path_toml.h"

namespace quell::lab {
namespace {

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
  in.read_bytes("search_mtu_up_to", transport.search_mtu_up_to);
  in.read_bytes("stream_window", transport.stream_window);
  in.read_bytes("connection_window", transport.connection_window);
  in.read("pacing", transport.pacing);
  in.read_bytes("fixed_window", transport.fixed_window);
  in.read("fixed_rate", transport.fixed_rate);
}

void read_load(TomlReader& in, LoadConfig& load) {
  in.read_enum<LoadKind>(
      "kind", load.kind,
      {{"http3", LoadKind::http3}, {"stream", LoadKind::stream}, {"handshake", LoadKind::handshake}});
  in.read_bytes("bytes", load.bytes);
  in.read_enum<Side>("sender", load.sender, {{"server", Side::server}, {"client", Side::client}});
  in.read("lasts", load.lasts);
  in.read_bytes("chunk", load.chunk);
  in.read("every", load.every);
  in.read("chunks_after", load.chunks_after);
  in.read("chunks_for", load.chunks_for);
  in.read("pause_after", load.pause_after);
  in.read("pause_for", load.pause_for);
  in.read("read_rate", load.read_rate);
  if (load.kind != LoadKind::handshake && !in.has("lasts")) in.require("bytes");
  if (in.has("chunk") && load.every <= Duration{0})
    in.complain("chunk", "needs `every`: how often there is one");
  for (const char* key : {"every", "chunks_after", "chunks_for"}) {
    if (in.has(key) && load.chunk == 0) in.complain(key, "needs `chunk`: how many bytes");
  }
  if (load.kind == LoadKind::stream) return;
  for (const char* key : {"sender", "read_rate"}) {
    if (in.has(key)) in.complain(key, "needs kind = \"stream\"");
  }
}

void read_lies(TomlReader& in, LiesConfig& lies) {
  in.read("after", lies.after);
  in.read("ack_delay", lies.ack_delay);
  in.read("beyond", lies.beyond);
  in.read("fills_gaps", lies.fills_gaps);
}

void read_measure(TomlReader& in, MeasureConfig& measure) {
  in.read_enum<Anchor>(
      "anchor", measure.anchor,
      {{"first-ack-after-trouble", Anchor::first_ack_after_trouble}, {"last-cut", Anchor::last_cut}});
  in.read("rtts", measure.rtts);
  in.read("low_window_packets", measure.low_window_packets);
  in.read("from", measure.from);
  in.read("to", measure.to);
  in.read("step_at", measure.step_at);
  in.read("reach", measure.reach);
  in.read("drained", measure.drained);
  in.read("warm_up", measure.warm_up);
  in.read("warm_up_cuts", measure.warm_up_cuts);
}

void read_flow(TomlReader& in, std::vector<FlowConfig>& flows) {
  FlowConfig flow;
  std::uint32_t count = 1;
  in.read("controller", flow.controller);
  in.read("starts", flow.starts);
  in.read("delay", flow.delay);
  in.read("count", count);
  if (flow.controller != "self" && cc::find(flow.controller) == nullptr)
    in.complain("controller", "there is no controller \"" + flow.controller + "\"");
  if (count == 0 || count > 100) in.complain("count", "must be between 1 and 100");
  flows.insert(flows.end(), count, flow);
}

}  // namespace

void read_variant(TomlReader& in, Variant& variant) {
  in.require("path");
  in.require("load");
  in.table("path", [&](TomlReader& inner) { read_path(inner, variant); });
  in.table("host", [&](TomlReader& inner) { read_hosts(inner, variant); });
  in.table("transport", [&](TomlReader& inner) { read_transport(inner, variant.transport); });
  in.table("load", [&](TomlReader& inner) { read_load(inner, variant.load); });
  in.table("lies", [&](TomlReader& inner) { read_lies(inner, variant.lies); });
  in.each("flow", [&](TomlReader& inner) { read_flow(inner, variant.flows); });
  in.table("measure", [&](TomlReader& inner) { read_measure(inner, variant.measure); });
  in.table("limits", [&](TomlReader& inner) {
    inner.read("deadline", variant.deadline);
    inner.read("events", variant.events);
  });
}

}  // namespace quell::lab
