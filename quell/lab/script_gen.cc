#include "quell/lab/script_gen.h"

#include <algorithm>
#include <cmath>

#include "quell/lab/liveness_terms.h"

namespace quell::lab {
namespace {

// What bounds the cost of a run: packets per second, and how long trouble lasts.
constexpr double kMostRate = 60e6;  // bit/s
constexpr double kLeastRate = 200e3;
constexpr Duration kMostTrouble = seconds{6};
constexpr double kLeastBdp = 8;  // packets: fewer, and the floor is not far from the capacity
constexpr double kMostBdp = 64;
constexpr std::uint64_t kMostEvents = 5'000'000;

double log_uniform(Rng& rng, double least, double most) {
  return least * std::pow(most / least, rng.real());
}

template <typename T, std::size_t N>
T pick(Rng& rng, const T (&values)[N]) {
  return values[rng.below(N)];
}

path::Trigger random_trigger(Rng& rng) {
  path::Trigger trigger;
  // Mostly behind the handshake, which otherwise eats the trouble.
  if (rng.chance(0.9)) trigger.opening = path::Opening::first_one_rtt_down;
  if (rng.chance(0.7)) trigger.after = random_duration(rng, milliseconds{1}, seconds{2});
  return trigger;
}

void add_random_trouble(Variant& script, Rng& rng) {
  for (std::uint64_t left = rng.below(3) + (rng.chance(0.8) ? 1 : 0); left > 0; --left) {
    const path::LossPhase phase = random_loss(rng, script.rtt);
    const double way = rng.real();
    if (way < 0.75) script.path.down.losses.push_back(phase);
    if (way > 0.25) script.path.up.losses.push_back(phase);
  }
  if (rng.chance(0.3)) script.path.down.drops.push_back(random_drop(rng, script.rtt));
}

Duration end_of_trouble(const Variant& script) {
  Duration end{0};
  for (const path::DirectionConfig* way : {&script.path.up, &script.path.down}) {
    for (const auto& phase : way->losses)
      end = std::max(end, phase.from.after + phase.lasts.value_or(Duration{0}));
    for (const auto& drop : way->drops) end = std::max(end, drop.from.after + drop.every * drop.times);
  }
  return std::max(end, script.load.pause_after + script.load.pause_for);
}

// Nothing begins or lasts beyond what a run may cost.
void bound_trouble(path::DirectionConfig& way) {
  for (auto& phase : way.losses) {
    phase.from.after = std::min(phase.from.after, kMostTrouble / 2);
    phase.lasts = std::min(phase.lasts.value_or(seconds{1}), kMostTrouble / 2);
  }
  for (auto& drop : way.drops) {
    drop.from.after = std::min(drop.from.after, kMostTrouble / 2);
    drop.times = std::clamp(drop.times, 1U, 30U);
    drop.every = std::min(drop.every, kMostTrouble / 2 / drop.times);
  }
}

void bound_host(sim::HostConfig& host, Rate rate) {
  // The law wants hosts twice as fast as the path.
  const Duration most = rate.time_for(kDefaultMaxDatagram) / 5;
  host.turn_cost = std::min(host.turn_cost, most);
  host.datagram_cost = std::min(host.datagram_cost, most);
}

}  // namespace

double two_digits(double value) {
  if (value <= 0) return 0;
  const double unit = std::pow(10, std::floor(std::log10(value)) - 1);
  return std::round(value / unit) * unit;
}

Duration random_duration(Rng& rng, Duration least, Duration most) {
  const double us = log_uniform(rng, to_seconds(least) * 1e6, to_seconds(most) * 1e6);
  return microseconds{std::llround(two_digits(us))};
}

path::LossPhase random_loss(Rng& rng, Duration rtt) {
  path::LossPhase phase;
  phase.from = random_trigger(rng);
  phase.lasts = random_duration(rng, std::max<Duration>(rtt / 2, milliseconds{5}), seconds{3});
  const double kind = rng.real();
  if (kind < 0.6) {
    phase.probability = two_digits(log_uniform(rng, 0.02, 0.7));
  } else if (kind < 0.8) {
    phase.probability = 1;
  } else {
    phase.bursts = path::GilbertElliott{.good_to_bad = two_digits(log_uniform(rng, 0.005, 0.2)),
                                        .bad_to_good = two_digits(log_uniform(rng, 0.02, 0.5)),
                                        .loss_in_good = 0,
                                        .loss_in_bad = rng.chance(0.5) ? 1 : 0.5};
  }
  return phase;
}

path::DropScript random_drop(Rng& rng, Duration rtt) {
  return {.from = random_trigger(rng),
          .every = random_duration(rng, rtt / 4, 3 * rtt),
          .times = static_cast<std::uint32_t>(1 + rng.below(20)),
          .least_size = rng.chance(0.7) ? ByteCount{1000} : ByteCount{0}};
}

sim::HostConfig random_host(Rng& rng) {
  // The pacer's word is that a sender which is up to 1 ms late keeps its rate (recovery/pacer.h).
  static constexpr Duration kGrids[] = {Duration{0}, milliseconds{1}};
  static constexpr Duration kWakes[] = {Duration{0}, microseconds{50}, microseconds{100}, microseconds{500}};
  sim::HostConfig host;
  host.clock = rng.chance(0.7) ? sim::ClockReading::per_turn : sim::ClockReading::per_event;
  host.timer_granularity = pick(rng, kGrids);
  host.wake_latency = pick(rng, kWakes);
  if (rng.chance(0.5)) host.turn_cost = microseconds{10};
  if (rng.chance(0.5)) host.datagram_cost = microseconds{2};
  return host;
}

void set_random_rate(Variant& script, Rng& rng) {
  const double bdp = log_uniform(rng, kLeastBdp, kMostBdp) * kDefaultMaxDatagram * 8;
  const double rate = std::clamp(bdp / to_seconds(script.rtt), kLeastRate, kMostRate);
  script.path.down.link.rate = Rate::bits_per_second(two_digits(rate));
}

Variant random_script(Rng& rng) {
  Variant script;
  script.rtt = random_duration(rng, milliseconds{2}, milliseconds{200});
  set_random_rate(script, rng);
  const Rate rate = script.path.down.link.rate;
  script.path.down.link.queue_bytes = static_cast<ByteCount>(
      two_digits(static_cast<double>(rate.bytes_in(script.rtt)) * log_uniform(rng, 0.3, 4)));
  if (rng.chance(0.25)) {
    const Duration jitter = random_duration(rng, script.rtt / 50, script.rtt / 3);
    script.path.down.link.jitter = jitter;
    if (rng.chance(0.5)) script.path.up.link.jitter = jitter;
  }
  if (rng.chance(0.6)) script.server_host = random_host(rng);
  if (rng.chance(0.6)) script.client_host = rng.chance(0.5) ? script.server_host : random_host(rng);
  if (rng.chance(0.2)) script.transport.initial_window_packets = 2 + rng.below(100);
  if (rng.chance(0.1))
    script.transport.max_ack_delay = random_duration(rng, milliseconds{1}, milliseconds{100});
  if (rng.chance(0.1)) script.transport.pacing = false;
  if (rng.chance(0.2)) {
    script.load.pause_after = random_duration(rng, milliseconds{10}, seconds{2});
    script.load.pause_for = random_duration(rng, milliseconds{10}, seconds{5});
  }
  add_random_trouble(script, rng);
  make_judgeable(script);
  return script;
}

void make_judgeable(Variant& script) {
  path::LinkConfig& up = script.path.up.link;
  path::LinkConfig& down = script.path.down.link;
  script.rtt = std::clamp<Duration>(script.rtt, milliseconds{1}, milliseconds{400});
  down.rate = std::clamp(down.rate, Rate::bits_per_second(kLeastRate), Rate::bits_per_second(kMostRate));
  up.rate = down.rate;
  up.delay = script.rtt / 2;
  down.delay = script.rtt - up.delay;
  for (path::LinkConfig* link : {&up, &down}) link->jitter = std::min(link->jitter, script.rtt);
  script.path.up.thin = {};  // nothing is promised where ACKs are thinned
  bound_trouble(script.path.up);
  bound_trouble(script.path.down);
  bound_host(script.client_host, down.rate);
  bound_host(script.server_host, down.rate);
  script.transport.idle_timeout = script.transport.handshake_timeout = Duration{0};
  script.load.kind = LoadKind::stream;
  script.load.bytes = 1'000'000'000;
  script.load.pause_after = std::min<Duration>(script.load.pause_after, kMostTrouble);
  script.load.pause_for = std::min<Duration>(script.load.pause_for, kMostTrouble);
  const auto least = static_cast<ByteCount>(two_digits(static_cast<double>(least_queue(script)) * 1.05));
  down.queue_bytes = std::max(down.queue_bytes, least);
  up.queue_bytes = down.queue_bytes;
  script.events = kMostEvents;
  // Room for the slowest law, for backoff as long as the trouble, and for a handshake in it.
  const auto terms = derive_liveness(script, GrowthLaw::bbr);
  const Duration verdict = terms ? terms->allowed(Duration{0}) : Duration{0};
  const double room = to_seconds(2 * verdict + 4 * end_of_trouble(script)) + 10;
  script.deadline = seconds{std::llround(std::ceil(room))};
}

}  // namespace quell::lab
