#include "quell/lab/path_writer.h"

#include <algorithm>
#include <tuple>
#include <vector>

#include "quell/lab/quantity.h"

namespace quell::lab {
namespace {

using path::DirectionConfig;
using path::EcnAction;
using path::Opening;
using path::QueueKind;

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

void write_phase(TomlWriter& out, const path::Phase& phase) {
  write_trigger(out, phase.from);
  out.write("lasts", phase.lasts);
}

void write_item(TomlWriter& out, const path::EcnPhase& phase) {
  write_phase(out, phase.when);
  if (phase.action == EcnAction::bleach) out.write("action", std::string{"bleach"});
  if (phase.action == EcnAction::black_hole) out.write("action", std::string{"black-hole"});
  if (phase.action == EcnAction::mark) out.write("action", std::string{"mark"});
  out.write("probability", phase.probability, 1.0);
  if (phase.times) out.write("times", std::uint64_t{*phase.times}, UINT64_MAX);
}

void write_item(TomlWriter& out, const path::PolicerConfig& policer) {
  write_phase(out, policer.when);
  out.write("rate", policer.rate, Rate::unlimited());
  out.write("depth", write_bytes(policer.depth));
}

void write_item(TomlWriter& out, const path::ReorderPhase& phase) {
  write_phase(out, phase.when);
  out.write("probability", std::optional{phase.probability});
  out.write("every_nth", std::uint64_t{phase.every_nth}, 0);
  out.write_bytes("least_size", phase.least_size, 0);
  out.write("by_packets", std::uint64_t{phase.by_packets}, 0);
  out.write("by_time", std::optional{phase.by_time});
}

void write_item(TomlWriter& out, const path::DuplicatePhase& phase) {
  write_phase(out, phase.when);
  out.write("probability", std::optional{phase.probability});
}

void write_item(TomlWriter& out, const path::CorruptPhase& phase) {
  write_phase(out, phase.when);
  out.write("probability", std::optional{phase.probability});
  out.write("bits", std::uint64_t{phase.bits}, 1);
}

void write_item(TomlWriter& out, const path::MtuPhase& phase) {
  write_phase(out, phase.when);
  out.write("largest", write_bytes(phase.largest));
}

void write_item(TomlWriter& out, const path::DelayStep& step) {
  out.write("at", step.at, Duration{0});
  out.write("extra", std::optional{step.extra});
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

std::string quoted(const std::string& text) {
  return "\"" + text + "\"";
}

void write_trace(TomlWriter& out, const path::RateTrace& trace) {
  if (trace.steps.empty()) return;
  std::string steps;
  for (const path::RateStep& step : trace.steps) {
    steps += (steps.empty() ? "" : ", ") + std::string{"{ at = "} + quoted(write_duration(step.at)) +
             ", rate = " + quoted(step.rate.is_zero() ? "none" : write_rate(step.rate)) + " }";
  }
  std::vector<std::string> pairs;
  if (trace.every) pairs.push_back(TomlWriter::pair("every", quoted(write_duration(*trace.every))));
  pairs.push_back(TomlWriter::pair("steps", "[" + steps + "]"));
  out.write_inline("rates", pairs);
}

void write_codel(TomlWriter& out, const path::CodelConfig& codel) {
  out.write_inline("codel", {TomlWriter::pair("target", quoted(write_duration(codel.target))),
                             TomlWriter::pair("interval", quoted(write_duration(codel.interval))),
                             TomlWriter::pair("marks", codel.marks ? "true" : "false")});
}

void write_dual_pi2(TomlWriter& out, const path::DualPi2Config& dual) {
  out.write_inline("dualpi2", {TomlWriter::pair("target", quoted(write_duration(dual.target))),
                               TomlWriter::pair("rtt_max", quoted(write_duration(dual.rtt_max))),
                               TomlWriter::pair("coupling", number_text(dual.coupling)),
                               TomlWriter::pair("ramp_from", quoted(write_duration(dual.ramp_from))),
                               TomlWriter::pair("ramp_over", quoted(write_duration(dual.ramp_over))),
                               TomlWriter::pair("classic_share", number_text(dual.classic_share))});
}

const char* discipline_name(QueueKind kind) {
  return kind == QueueKind::drop_tail ? "drop-tail" : kind == QueueKind::codel ? "codel" : "dualpi2";
}

// A link's keys that are not as in `common`, which stands in the table above.
void write_link(TomlWriter& out, const path::LinkConfig& link, const path::LinkConfig& common) {
  out.write("rate", link.rate, common.rate);
  if (link.rates != common.rates) write_trace(out, link.rates);
  out.write_bytes("queue", link.queue_bytes, common.queue_bytes);
  out.write("discipline", std::string{discipline_name(link.queue)}, discipline_name(common.queue));
  if (link.codel != common.codel) write_codel(out, link.codel);
  if (link.dual_pi2 != common.dual_pi2) write_dual_pi2(out, link.dual_pi2);
  out.write("jitter", link.jitter, common.jitter);
  out.write("jitter_reorders", link.jitter_reorders, common.jitter_reorders);
}

// What both ways share, but for delays; the default where they differ.
path::LinkConfig common_of(const path::PathConfig& path) {
  const path::LinkConfig& up = path.up.link;
  const path::LinkConfig& down = path.down.link;
  path::LinkConfig common;
  const auto share = [&](auto field) {
    if (up.*field == down.*field) common.*field = up.*field;
  };
  share(&path::LinkConfig::rate);
  share(&path::LinkConfig::rates);
  share(&path::LinkConfig::queue_bytes);
  share(&path::LinkConfig::queue);
  share(&path::LinkConfig::codel);
  share(&path::LinkConfig::dual_pi2);
  share(&path::LinkConfig::jitter);
  share(&path::LinkConfig::jitter_reorders);
  return common;
}

void write_links(TomlWriter& out, const std::string& prefix, const Variant& variant) {
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
}

}  // namespace

void write_path(TomlWriter& out, const std::string& prefix, const Variant& variant) {
  const auto& [up, down, rebindings] = variant.path;
  write_links(out, prefix, variant);
  write_items(out, prefix + "path.loss", up.losses, down.losses);
  write_items(out, prefix + "path.drop", up.drops, down.drops);
  write_items(out, prefix + "path.ecn", up.ecn, down.ecn);
  write_items(out, prefix + "path.policer", up.policers, down.policers);
  write_items(out, prefix + "path.reorder", up.reorders, down.reorders);
  write_items(out, prefix + "path.duplicate", up.duplicates, down.duplicates);
  write_items(out, prefix + "path.corrupt", up.corruptions, down.corruptions);
  write_items(out, prefix + "path.mtu", up.mtus, down.mtus);
  write_items(out, prefix + "path.delay_step", up.link.delay_steps, down.link.delay_steps);
  for (const path::Trigger& trigger : rebindings) {
    out.item(prefix + "path.rebind");
    write_trigger(out, trigger);
  }
}

}  // namespace quell::lab
