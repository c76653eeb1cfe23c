#include "quell/lab/variant_writer.h"

#include <algorithm>
#include <string>

#include "quell/lab/quantity.h"

namespace quell::lab {
namespace {

using path::DirectionConfig;
using path::Opening;

void write_trigger(TomlWriter& out, const path::Trigger& trigger) {
  out.write_enum<Opening>(
      "opens", trigger.opening, Opening::start,
      {{"first-client-1rtt", Opening::first_one_rtt_up}, {"first-server-1rtt", Opening::first_one_rtt_down}});
  out.write("after", trigger.after, Duration{0});
}

void write_item(TomlWriter& out, const path::LossPhase& phase) {
  write_trigger(out, phase.from);
  out.write("lasts", phase.lasts);
  // Needed where there are no bursts, whatever it is.
  if (phase.probability != 0 || !phase.bursts) out.write("probability", std::optional{phase.probability});
  if (const auto& bursts = phase.bursts) {
    out.write_inline("bursts", {TomlWriter::pair("good_to_bad", number_text(bursts->good_to_bad)),
                                TomlWriter::pair("bad_to_good", number_text(bursts->bad_to_good)),
                                TomlWriter::pair("loss_in_good", number_text(bursts->loss_in_good)),
                                TomlWriter::pair("loss_in_bad", number_text(bursts->loss_in_bad))});
  }
  out.write("label", phase.label);
}

void write_item(TomlWriter& out, const path::DropScript& script) {
  const path::DropScript omitted;
  write_trigger(out, script.from);
  out.write("every", script.every, omitted.every);
  out.write("times", std::uint64_t{script.times}, std::uint64_t{omitted.times});
  out.write_bytes("least_size", script.least_size, omitted.least_size);
}

// What both ways begin with in common is written once: an item without `way` counts for both. The order
// within each way stays.
template <typename Item>
void write_items(TomlWriter& out, const std::string& name, const std::vector<Item>& up,
                 const std::vector<Item>& down) {
  const auto [up_rest, down_rest] = std::ranges::mismatch(up, down);
  const auto write = [&](const char* way, const Item& item) {
    out.item(name);
    out.write("way", std::string{way}, "both");
    write_item(out, item);
  };
  for (auto it = up.begin(); it != up_rest; ++it) write("both", *it);
  for (auto it = up_rest; it != up.end(); ++it) write("up", *it);
  for (auto it = down_rest; it != down.end(); ++it) write("down", *it);
}

void write_thin(TomlWriter& out, const path::ThinScript& thin) {
  const path::ThinScript omitted;
  std::vector<std::string> pairs;
  if (thin.keep_one_in != omitted.keep_one_in)
    pairs.push_back(TomlWriter::pair("keep_one_in", std::to_string(thin.keep_one_in)));
  if (thin.at_most != omitted.at_most)
    pairs.push_back(TomlWriter::pair("at_most", "\"" + write_bytes(thin.at_most) + "\""));
  out.write_inline("thin", pairs);
}

// A link's keys that are not as in `common`, which stands in the table above.
void write_link(TomlWriter& out, const path::LinkConfig& link, const path::LinkConfig& common) {
  out.write("rate", link.rate, common.rate);
  out.write_bytes("queue", link.queue_bytes, common.queue_bytes);
  out.write("jitter", link.jitter, common.jitter);
}

// What both ways share of rate, queue and jitter; the default where they differ.
path::LinkConfig common_of(const path::PathConfig& path) {
  const path::LinkConfig& up = path.up.link;
  const path::LinkConfig& down = path.down.link;
  path::LinkConfig common;
  if (up.rate == down.rate) common.rate = up.rate;
  if (up.queue_bytes == down.queue_bytes) common.queue_bytes = up.queue_bytes;
  if (up.jitter == down.jitter) common.jitter = up.jitter;
  return common;
}

void write_path(TomlWriter& out, const std::string& prefix, const Variant& variant) {
  const path::PathConfig& path = variant.path;
  const path::LinkConfig common = common_of(path);
  out.table(prefix + "path");
  out.write("rtt", std::optional{variant.rtt});
  write_link(out, common, {});
  const Duration half = variant.rtt / 2;
  for (const auto& [name, direction, delay] :
       {std::tuple{"path.up", &path.up, half}, std::tuple{"path.down", &path.down, variant.rtt - half}}) {
    out.table(prefix + name);
    out.write("delay", direction->link.delay, delay);
    write_link(out, direction->link, common);
    write_thin(out, direction->thin);
  }
  write_items(out, prefix + "path.loss", path.up.losses, path.down.losses);
  write_items(out, prefix + "path.drop", path.up.drops, path.down.drops);
}

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
  out.write("warm_up", measure.warm_up, omitted.warm_up);
  out.write("warm_up_cuts", std::uint64_t{measure.warm_up_cuts}, std::uint64_t{omitted.warm_up_cuts});
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
  write_measure(out, prefix, variant.measure);
  out.table(prefix + "limits");
  out.write("deadline", variant.deadline, omitted.deadline);
  out.write("events", variant.events, omitted.events);
}

}  // namespace quell::lab
