#include "quell/lab/shrink.h"

#include <algorithm>
#include <cmath>
#include <vector>

namespace quell::lab {
namespace {

using Changes = std::vector<Variant>;

// Rounded to one digit, which is 1, 2 or 5.
double round_number(double value) {
  if (value <= 0) return 0;
  const double unit = std::pow(10, std::floor(std::log10(value)));
  const double digit = value / unit;
  return unit * (digit < 1.5 ? 1 : digit < 3.5 ? 2 : digit < 7.5 ? 5 : 10);
}

double one_digit(double value) {
  if (value <= 0) return 0;
  const double unit = std::pow(10, std::floor(std::log10(value)));
  return std::round(value / unit) * unit;
}

Duration micros(double value) {
  return microseconds{std::llround(value)};
}

template <typename Edit>
void with(Changes& out, const Variant& script, Edit edit) {
  Variant changed = script;
  edit(changed);
  if (changed != script) out.push_back(std::move(changed));
}

// Both of: halved, and round.
template <typename Edit>
void shorter(Changes& out, const Variant& script, Duration now, Edit set) {
  const double us = to_seconds(now) * 1e6;
  for (const double value : {0.0, round_number(us / 2), round_number(us), one_digit(us)})
    if (micros(value) <= now) with(out, script, [&](Variant& v) { set(v, micros(value)); });
}

template <typename Items>
void without(Changes& out, const Variant& script, Items items) {
  for (std::size_t i = 0; i < items(const_cast<Variant&>(script)).size(); ++i) {
    with(out, script, [&](Variant& v) { items(v).erase(items(v).begin() + static_cast<std::ptrdiff_t>(i)); });
  }
}

void simplify_loss(Changes& out, const Variant& script, path::DirectionConfig path::PathConfig::* way) {
  const auto& losses = (script.path.*way).losses;
  for (std::size_t i = 0; i < losses.size(); ++i) {
    const auto phase = [way, i](Variant& v) -> path::LossPhase& { return (v.path.*way).losses[i]; };
    if (losses[i].bursts) {
      for (const double p : {0.3, 0.1, 1.0}) {
        with(out, script, [&](Variant& v) {
          phase(v).bursts.reset();
          phase(v).probability = p;
        });
      }
    }
    shorter(out, script, losses[i].from.after, [&](Variant& v, Duration d) { phase(v).from.after = d; });
    shorter(out, script, losses[i].lasts.value_or(Duration{0}),
            [&](Variant& v, Duration d) { phase(v).lasts = d; });
    if (losses[i].probability == 1) continue;
    for (const double p : {round_number(losses[i].probability), one_digit(losses[i].probability)})
      with(out, script, [&](Variant& v) { phase(v).probability = std::min(p, 1.0); });
  }
}

void simplify_drops(Changes& out, const Variant& script) {
  const auto& drops = script.path.down.drops;
  for (std::size_t i = 0; i < drops.size(); ++i) {
    const auto drop = [i](Variant& v) -> path::DropScript& { return v.path.down.drops[i]; };
    for (const std::uint32_t times : {1U, drops[i].times / 2, drops[i].times - 1})
      if (times > 0 && times < drops[i].times) with(out, script, [&](Variant& v) { drop(v).times = times; });
    shorter(out, script, drops[i].from.after, [&](Variant& v, Duration d) { drop(v).from.after = d; });
    const double us = to_seconds(drops[i].every) * 1e6;
    for (const double every : {round_number(us), one_digit(us)})
      with(out, script, [&](Variant& v) { drop(v).every = micros(every); });
  }
}

void simplify_trouble(Changes& out, const Variant& script) {
  const auto up_losses = [](Variant& v) -> auto& { return v.path.up.losses; };
  const auto down_losses = [](Variant& v) -> auto& { return v.path.down.losses; };
  const auto down_drops = [](Variant& v) -> auto& { return v.path.down.drops; };
  with(out, script, [](Variant& v) { v.path.up.losses.clear(); });
  with(out, script, [](Variant& v) { v.path.down.losses.clear(); });
  with(out, script, [](Variant& v) { v.path.down.drops.clear(); });
  without(out, script, up_losses);
  without(out, script, down_losses);
  without(out, script, down_drops);
  simplify_loss(out, script, &path::PathConfig::up);
  simplify_loss(out, script, &path::PathConfig::down);
  simplify_drops(out, script);
}

void simplify_hosts(Changes& out, const Variant& script) {
  with(out, script, [](Variant& v) { v.client_host = v.server_host = {}; });
  for (sim::HostConfig Variant::* host : {&Variant::client_host, &Variant::server_host}) {
    with(out, script, [&](Variant& v) { v.*host = {}; });
    with(out, script, [&](Variant& v) { (v.*host).clock = sim::HostConfig{}.clock; });
    for (Duration sim::HostConfig::* habit :
         {&sim::HostConfig::timer_granularity, &sim::HostConfig::wake_latency, &sim::HostConfig::turn_cost,
          &sim::HostConfig::datagram_cost}) {
      with(out, script, [&](Variant& v) { v.*host.*habit = Duration{0}; });
    }
  }
}

void simplify_ends(Changes& out, const Variant& script) {
  with(out, script, [](Variant& v) {
    const Duration idle = v.transport.idle_timeout.value_or(Duration{0});
    v.transport = {};
    v.transport.idle_timeout = v.transport.handshake_timeout = idle;
  });
  with(out, script, [](Variant& v) { v.transport.initial_window_packets = 0; });
  with(out, script, [](Variant& v) { v.transport.max_ack_delay.reset(); });
  with(out, script, [](Variant& v) { v.transport.pacing = true; });
  with(out, script, [](Variant& v) { v.load.pause_after = v.load.pause_for = Duration{0}; });
  shorter(out, script, script.load.pause_for, [](Variant& v, Duration d) { v.load.pause_for = d; });
  shorter(out, script, script.load.pause_after, [](Variant& v, Duration d) { v.load.pause_after = d; });
}

void simplify_links(Changes& out, const Variant& script) {
  with(out, script, [](Variant& v) { v.path.up.thin = {}; });
  with(out, script, [](Variant& v) { v.path.up.link.jitter = v.path.down.link.jitter = Duration{0}; });
  with(out, script, [](Variant& v) { v.path.up.link.jitter = Duration{0}; });
  const double rtt = to_seconds(script.rtt) * 1e6;
  for (const double us : {round_number(rtt), one_digit(rtt)}) {
    with(out, script, [&](Variant& v) {
      v.rtt = micros(us);
      v.path.up.link.delay = v.rtt / 2;
      v.path.down.link.delay = v.rtt - v.rtt / 2;
    });
  }
  const double rate = script.path.down.link.rate.bits_per_second();
  for (const double bits : {round_number(rate), one_digit(rate)}) {
    with(out, script,
         [&](Variant& v) { v.path.up.link.rate = v.path.down.link.rate = Rate::bits_per_second(bits); });
  }
  const auto queue = static_cast<double>(script.path.down.link.queue_bytes);
  for (const double bytes : {round_number(queue), one_digit(queue)}) {
    with(out, script, [&](Variant& v) {
      v.path.up.link.queue_bytes = v.path.down.link.queue_bytes = static_cast<ByteCount>(bytes);
    });
  }
}

// In the order in which they are tried: what takes away most comes first.
Changes simpler(const Variant& script) {
  Changes out;
  simplify_trouble(out, script);
  simplify_hosts(out, script);
  simplify_ends(out, script);
  simplify_links(out, script);
  return out;
}

// How much there is to read and to run; no step may raise it, or rounding up and down would never end.
double weight(const Variant& v) {
  double weight = 0;
  for (const path::DirectionConfig* way : {&v.path.up, &v.path.down}) {
    for (const auto& phase : way->losses)
      weight += 10 + to_seconds(phase.from.after + phase.lasts.value_or(Duration{0}));
    for (const auto& drop : way->drops) weight += 10 + drop.times;
  }
  return weight;
}

}  // namespace

Shrunk shrink(Variant script, const std::function<bool(const Variant&)>& still_fails,
              std::size_t most_tries) {
  Shrunk result{std::move(script), 0};
  // Each round goes through all changes of the script as it stands; an amount may be rounded once per round,
  // and rounds end when nothing more was taken.
  constexpr int kMostRounds = 8;
  for (int round = 0; round < kMostRounds; ++round) {
    bool has_shrunk = false;
    for (std::size_t i = 0;; ++i) {
      const Changes changes = simpler(result.script);
      if (i >= changes.size()) break;
      if (weight(changes[i]) > weight(result.script)) continue;
      if (result.tried >= most_tries) return result;
      ++result.tried;
      if (!still_fails(changes[i])) continue;
      result.script = changes[i];
      has_shrunk = true;
      if (i > 0) --i;  // the list is another one now
    }
    if (!has_shrunk) break;
  }
  return result;
}

}  // namespace quell::lab
