#include "quell/lab/variant_writer.h"

#include <string>

#include "quell/lab/path_writer.h"
#include "quell/lab/quantity.h"

namespace quell::lab {
namespace {

void write_host(TomlWriter& out, const sim::HostConfig& host) {
  const sim::HostConfig omitted;
  out.write_enum<sim::ClockReading>("clock", host.clock, omitted.clock,
                                    {{"per-event", sim::ClockReading::per_event}});
  out.write("timer_granularity", host.timer_granularity, omitted.timer_granularity);
  out.write("wake_latency", host.wake_latency, omitted.wake_latency);
  out.write("turn_cost", host.turn_cost, omitted.turn_cost);
  out.write("datagram_cost", host.datagram_cost, omitted.datagram_cost);
}

void write_hosts(TomlWriter& out, const std::string& prefix, const Variant& variant) {
  if (variant.client_host == variant.server_host) {
    out.table(prefix + "host");
    return write_host(out, variant.client_host);
  }
  out.table(prefix + "host.client");
  write_host(out, variant.client_host);
  out.table(prefix + "host.server");
  write_host(out, variant.server_host);
}

void write_transport(TomlWriter& out, const std::string& prefix, const TransportConfig& transport) {
  const TransportConfig omitted;
  out.table(prefix + "transport");
  out.write("initial_rtt", transport.initial_rtt);
  out.write("max_ack_delay", transport.max_ack_delay);
  out.write("idle_timeout", transport.idle_timeout);
  out.write("handshake_timeout", transport.handshake_timeout);
  out.write("initial_window_packets", transport.initial_window_packets, omitted.initial_window_packets);
  out.write_bytes("max_datagram_size", transport.max_datagram_size, omitted.max_datagram_size);
  out.write_bytes("search_mtu_up_to", transport.search_mtu_up_to, omitted.search_mtu_up_to);
  out.write_bytes("stream_window", transport.stream_window, omitted.stream_window);
  out.write_bytes("connection_window", transport.connection_window, omitted.connection_window);
  out.write("pacing", transport.pacing, omitted.pacing);
  out.write_bytes("fixed_window", transport.fixed_window, omitted.fixed_window);
  out.write("fixed_rate", transport.fixed_rate, omitted.fixed_rate);
}

void write_load(TomlWriter& out, const std::string& prefix, const LoadConfig& load) {
  const LoadConfig omitted;
  out.table(prefix + "load");
  switch (load.kind) {
    case LoadKind::http3:
      out.write("kind", std::string{"http3"});
      break;
    case LoadKind::stream:
      out.write("kind", std::string{"stream"});
      break;
    case LoadKind::handshake:
      out.write("kind", std::string{"handshake"});
      break;
  }
  // Needed wherever there is a body, whatever it is.
  if (load.kind != LoadKind::handshake || load.bytes != omitted.bytes)
    out.write("bytes", write_bytes(load.bytes));
  out.write_enum<Side>("sender", load.sender, omitted.sender, {{"client", Side::client}});
  out.write("lasts", load.lasts, omitted.lasts);
  out.write_bytes("chunk", load.chunk, omitted.chunk);
  out.write("every", load.every, omitted.every);
  out.write("chunks_after", load.chunks_after, omitted.chunks_after);
  out.write("chunks_for", load.chunks_for, omitted.chunks_for);
  out.write("pause_after", load.pause_after, omitted.pause_after);
  out.write("pause_for", load.pause_for, omitted.pause_for);
  out.write("read_rate", load.read_rate, omitted.read_rate);
}

void write_lies(TomlWriter& out, const std::string& prefix, const LiesConfig& lies) {
  const LiesConfig omitted;
  out.table(prefix + "lies");
  out.write("after", lies.after, omitted.after);
  out.write("ack_delay", lies.ack_delay);
  out.write("beyond", lies.beyond, omitted.beyond);
  out.write("fills_gaps", lies.fills_gaps, omitted.fills_gaps);
}

void write_measure(TomlWriter& out, const std::string& prefix, const MeasureConfig& measure) {
  const MeasureConfig omitted;
  out.table(prefix + "measure");
  out.write_enum<Anchor>("anchor", measure.anchor, omitted.anchor, {{"last-cut", Anchor::last_cut}});
  out.write("rtts", std::uint64_t{measure.rtts}, std::uint64_t{omitted.rtts});
  out.write("low_window_packets", std::uint64_t{measure.low_window_packets},
            std::uint64_t{omitted.low_window_packets});
  out.write("from", measure.from, omitted.from);
  out.write("to", measure.to, omitted.to);
  out.write("step_at", measure.step_at, omitted.step_at);
  out.write("reach", measure.reach, omitted.reach);
  out.write("drained", measure.drained, omitted.drained);
  out.write("warm_up", measure.warm_up, omitted.warm_up);
  out.write("warm_up_cuts", std::uint64_t{measure.warm_up_cuts}, std::uint64_t{omitted.warm_up_cuts});
}

void write_flows(TomlWriter& out, const std::string& prefix, const std::vector<FlowConfig>& flows) {
  const FlowConfig omitted;
  for (const FlowConfig& flow : flows) {
    out.item(prefix + "flow");
    out.write("controller", flow.controller, omitted.controller);
    out.write("starts", flow.starts, omitted.starts);
    out.write("delay", flow.delay, omitted.delay);
  }
}

}  // namespace

void write_variant(TomlWriter& out, std::string_view prefix_view, const Variant& variant) {
  const std::string prefix{prefix_view};
  const Variant omitted;
  write_path(out, prefix, variant);
  write_hosts(out, prefix, variant);
  write_transport(out, prefix, variant.transport);
  write_load(out, prefix, variant.load);
  write_lies(out, prefix, variant.lies);
  write_flows(out, prefix, variant.flows);
  write_measure(out, prefix, variant.measure);
  out.table(prefix + "limits");
  out.write("deadline", variant.deadline, omitted.deadline);
  out.write("events", variant.events, omitted.events);
}

}  // namespace quell::lab
