#include "quell/lab/box_toml.h"

#include <string>
#include <vector>

namespace quell::lab {
namespace {

using path::DirectionConfig;
using path::EcnAction;
using path::Opening;

void read_trigger(TomlReader& in, path::Trigger& trigger) {
  in.read_enum<Opening>("opens", trigger.opening,
                        {{"start", Opening::start},
                         {"first-client-1rtt", Opening::first_one_rtt_up},
                         {"first-server-1rtt", Opening::first_one_rtt_down}});
  in.read("after", trigger.after);
}

void read_phase(TomlReader& in, path::Phase& phase) {
  read_trigger(in, phase.from);
  in.read("lasts", phase.lasts);
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

path::LossPhase read_loss(TomlReader& in) {
  path::LossPhase phase;
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
  return phase;
}

// Another word for a phase that loses everything.
path::LossPhase read_blackout(TomlReader& in) {
  path::LossPhase phase;
  phase.probability = 1;
  phase.label = "blackout";
  read_trigger(in, phase.from);
  in.read("lasts", phase.lasts);
  in.read("label", phase.label);
  return phase;
}

path::DropScript read_drop(TomlReader& in) {
  path::DropScript script;
  read_trigger(in, script.from);
  in.read("every", script.every);
  in.read("times", script.times);
  in.read_bytes("least_size", script.least_size);
  return script;
}

path::EcnPhase read_ecn(TomlReader& in) {
  path::EcnPhase phase;
  in.require("action");
  read_phase(in, phase.when);
  in.read_enum<EcnAction>(
      "action", phase.action,
      {{"bleach", EcnAction::bleach}, {"black-hole", EcnAction::black_hole}, {"mark", EcnAction::mark}});
  read_probability(in, "probability", phase.probability);
  if (in.has("times")) in.read("times", phase.times.emplace());
  return phase;
}

path::PolicerConfig read_policer(TomlReader& in) {
  path::PolicerConfig policer;
  in.require("rate");
  in.require("depth");
  read_phase(in, policer.when);
  in.read("rate", policer.rate);
  in.read_bytes("depth", policer.depth);
  if (policer.rate.is_unlimited()) in.complain("rate", "must be limited");
  return policer;
}

path::ReorderPhase read_reorder(TomlReader& in) {
  path::ReorderPhase phase;
  read_phase(in, phase.when);
  read_probability(in, "probability", phase.probability);
  in.read("every_nth", phase.every_nth);
  in.read_bytes("least_size", phase.least_size);
  in.read("by_packets", phase.by_packets);
  in.read("by_time", phase.by_time);
  if (!in.has("every_nth")) in.require("probability");
  if (!in.has("by_packets")) in.require("by_time");
  return phase;
}

path::DuplicatePhase read_duplicate(TomlReader& in) {
  path::DuplicatePhase phase;
  in.require("probability");
  read_phase(in, phase.when);
  read_probability(in, "probability", phase.probability);
  return phase;
}

path::CorruptPhase read_corrupt(TomlReader& in) {
  path::CorruptPhase phase;
  in.require("probability");
  read_phase(in, phase.when);
  read_probability(in, "probability", phase.probability);
  in.read("bits", phase.bits);
  return phase;
}

path::MtuPhase read_mtu(TomlReader& in) {
  path::MtuPhase phase;
  in.require("largest");
  read_phase(in, phase.when);
  in.read_bytes("largest", phase.largest);
  return phase;
}

path::DelayStep read_delay_step(TomlReader& in) {
  path::DelayStep step;
  in.require("extra");
  in.read("at", step.at);
  in.read("extra", step.extra);
  return step;
}

// Each item of a list belongs to the ways that it names.
template <typename Item>
void read_items(TomlReader& in, path::PathConfig& path, std::string_view key, Item (*read)(TomlReader&),
                std::vector<Item> DirectionConfig::* list) {
  in.each(key, [&](TomlReader& inner) {
    const auto directions = read_way(inner, path);
    const Item item = read(inner);
    for (DirectionConfig* direction : directions) (direction->*list).push_back(item);
  });
}

}  // namespace

void read_boxes(TomlReader& in, path::PathConfig& path) {
  read_items(in, path, "loss", read_loss, &DirectionConfig::losses);
  read_items(in, path, "blackout", read_blackout, &DirectionConfig::losses);
  read_items(in, path, "drop", read_drop, &DirectionConfig::drops);
  read_items(in, path, "ecn", read_ecn, &DirectionConfig::ecn);
  read_items(in, path, "policer", read_policer, &DirectionConfig::policers);
  read_items(in, path, "reorder", read_reorder, &DirectionConfig::reorders);
  read_items(in, path, "duplicate", read_duplicate, &DirectionConfig::duplicates);
  read_items(in, path, "corrupt", read_corrupt, &DirectionConfig::corruptions);
  read_items(in, path, "mtu", read_mtu, &DirectionConfig::mtus);
  in.each("delay_step", [&](TomlReader& inner) {
    const auto directions = read_way(inner, path);
    const path::DelayStep step = read_delay_step(inner);
    for (DirectionConfig* direction : directions) direction->link.delay_steps.push_back(step);
  });
  in.each("rebind", [&](TomlReader& inner) { read_trigger(inner, path.rebindings.emplace_back()); });
}

}  // namespace quell::lab
