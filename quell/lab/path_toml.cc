#include "quell/lab/path_toml.h"

#include <utility>

#include "quell/lab/box_toml.h"
#include "quell/lab/link_toml.h"

namespace quell::lab {
namespace {

void check_queue(TomlReader& in, const path::LinkConfig& link) {
  const bool has_rate = !link.rates.steps.empty() || !link.rate.is_unlimited();
  if (link.queue != path::QueueKind::drop_tail && !has_rate)
    in.complain("discipline", "needs a rate: on an unlimited link nothing waits");
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
    check_queue(in, direction->link);
  }
  read_boxes(in, path);
}

}  // namespace quell::lab
