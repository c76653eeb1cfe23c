#include "quell/lab/mutate.h"

#include <algorithm>
#include <cmath>

#include "quell/lab/script_gen.h"

namespace quell::lab {
namespace {

// Half to twice as much.
double stretched(double value, Rng& rng) {
  return two_digits(value * std::pow(2, 2 * rng.real() - 1));
}

Duration stretched(Duration d, Rng& rng) {
  return microseconds{std::llround(stretched(to_seconds(d) * 1e6, rng))};
}

path::DirectionConfig& either_way(Variant& script, Rng& rng) {
  return rng.chance(0.6) ? script.path.down : script.path.up;
}

void change_loss(Variant& script, Rng& rng) {
  path::DirectionConfig& way = either_way(script, rng);
  if (way.losses.empty()) return way.losses.push_back(random_loss(rng, script.rtt));
  path::LossPhase& phase = way.losses[rng.below(way.losses.size())];
  switch (rng.below(4)) {
    case 0:
      phase.from.after = stretched(phase.from.after + milliseconds{1}, rng);
      break;
    case 1:
      phase.lasts = stretched(phase.lasts.value_or(seconds{1}), rng);
      break;
    case 2:
      phase.probability = std::min(1.0, stretched(std::max(phase.probability, 0.02), rng));
      phase.bursts.reset();
      break;
    default:
      phase = random_loss(rng, script.rtt);
  }
}

void add_loss(Variant& script, Rng& rng) {
  path::DirectionConfig& way = either_way(script, rng);
  if (way.losses.size() < 4) way.losses.push_back(random_loss(rng, script.rtt));
}

void remove_loss(Variant& script, Rng& rng) {
  path::DirectionConfig& way = either_way(script, rng);
  if (!way.losses.empty())
    way.losses.erase(way.losses.begin() + static_cast<std::ptrdiff_t>(rng.below(way.losses.size())));
}

void change_drops(Variant& script, Rng& rng) {
  auto& drops = script.path.down.drops;
  if (drops.empty() || (drops.size() < 3 && rng.chance(0.3))) {
    drops.push_back(random_drop(rng, script.rtt));
  } else if (rng.chance(0.3)) {
    drops.pop_back();
  } else {
    path::DropScript& drop = drops[rng.below(drops.size())];
    drop.every = stretched(drop.every, rng);
    drop.times += static_cast<std::uint32_t>(rng.below(5));
  }
}

void change_link(Variant& script, Rng& rng) {
  path::LinkConfig& down = script.path.down.link;
  switch (rng.below(4)) {
    case 0:
      script.rtt = stretched(script.rtt, rng);
      break;
    case 1:
      set_random_rate(script, rng);
      break;
    case 2:
      down.queue_bytes = static_cast<ByteCount>(stretched(static_cast<double>(down.queue_bytes), rng));
      break;
    default:
      down.jitter = rng.chance(0.5) ? Duration{0} : random_duration(rng, script.rtt / 50, script.rtt / 3);
  }
}

void change_hosts(Variant& script, Rng& rng) {
  if (rng.chance(0.5)) {
    script.server_host = random_host(rng);
  } else {
    script.client_host = rng.chance(0.5) ? script.server_host : random_host(rng);
  }
}

void change_load(Variant& script, Rng& rng) {
  script.load.pause_after = random_duration(rng, milliseconds{10}, seconds{2});
  script.load.pause_for = rng.chance(0.5) ? Duration{0} : random_duration(rng, milliseconds{10}, seconds{5});
}

void change_ends(Variant& script, Rng& rng) {
  script.transport.initial_window_packets = rng.chance(0.5) ? 0 : 2 + rng.below(100);
}

}  // namespace

Variant mutate(const Variant& script, Rng& rng) {
  using Change = void (*)(Variant&, Rng&);
  // Trouble is what matters most, and is named most often.
  static constexpr Change kChanges[] = {change_loss,  change_loss, change_loss,  add_loss,    remove_loss,
                                        change_drops, change_link, change_hosts, change_load, change_ends};
  Variant changed = script;
  for (std::uint64_t left = 1 + rng.below(3); left > 0; --left)
    kChanges[rng.below(std::size(kChanges))](changed, rng);
  make_judgeable(changed);
  return changed;
}

}  // namespace quell::lab
