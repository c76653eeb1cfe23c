#include "quell/lab/path_toml.h"

#include <string>
#include <vector>

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

}  // namespace

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

}  // namespace quell::lab
