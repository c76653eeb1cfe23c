#include "quell/path/path.h"

#include <algorithm>
#include <utility>

#include "quell/path/codel.h"
#include "quell/path/dual_pi2.h"

namespace quell::path {
namespace {

RateSchedule make_schedule(const LinkConfig& link, TimePoint start) {
  return link.rates.steps.empty() ? RateSchedule{link.rate} : RateSchedule{link.rates, start};
}

std::unique_ptr<Queue> make_queue(const LinkConfig& link, TimePoint start) {
  if (link.queue == QueueKind::codel) return std::make_unique<Codel>(link.codel);
  return std::make_unique<DualPi2>(link.dual_pi2, start);
}

std::optional<TimePoint> earlier(std::optional<TimePoint> a, std::optional<TimePoint> b) {
  if (!a || !b) return a ? a : b;
  return std::min(*a, *b);
}

}  // namespace

Path::Direction Path::make_direction(const DirectionConfig& config, const Rng& rng, TimePoint start) {
  const RateSchedule rates = make_schedule(config.link, start);
  Direction direction{.rates = rates,
                      .gates = Gates{config, rng},
                      .tail = DropTail{config.link.queue_bytes, rates},
                      .managed = nullptr,
                      .line = Line{config.link, rng.fork("jitter"), start},
                      .reorderings = {},
                      .held = {}};
  if (config.link.queue != QueueKind::drop_tail) {
    direction.managed =
        std::make_unique<ManagedLink>(make_queue(config.link, start), config.link.queue_bytes, rates);
  }
  const Rng reorder_rng = rng.fork("reorder");
  for (const ReorderPhase& phase : config.reorders) {
    const char label = static_cast<char>('a' + direction.reorderings.size() % 26);
    direction.reorderings.emplace_back(phase, reorder_rng.fork({&label, 1}));
  }
  return direction;
}

Path::Path(const PathConfig& config, const Rng& rng, TimePoint start)
    : phases_(start),
      rebindings_(config.rebindings),
      directions_{make_direction(config.up, rng.fork("up"), start),
                  make_direction(config.down, rng.fork("down"), start)} {}

Packet Path::make_packet(Bytes bytes) {
  Packet packet;
  if (!spare_buffers_.empty()) {
    packet.bytes = std::move(spare_buffers_.back());
    spare_buffers_.pop_back();
  }
  packet.bytes.assign(bytes.begin(), bytes.end());
  return packet;
}

Fate Path::send(Packet packet, TimePoint now) {
  Direction& direction = directions_[index(packet.way)];
  const Fate fate = pass(direction, packet, now);
  if (fate != Fate::delivered) recycle(std::move(packet.bytes));
  return fate;
}

Fate Path::pass(Direction& direction, Packet& packet, TimePoint now) {
  phases_.watch(packet.way, packet.bytes, now);
  const Fate fate = direction.gates.pass(packet.bytes, packet.ecn, phases_, now);
  if (fate != Fate::delivered) return fate;
  packet.sent_at = now;
  if (packet.way == Way::up && !rebindings_.empty()) packet.binding = binding(now);
  std::optional<Packet> copy;
  if (direction.gates.is_doubled(phases_, now)) {
    copy = make_packet(packet.bytes);
    copy->way = packet.way;
    copy->flow = packet.flow;
    copy->binding = packet.binding;
    copy->ecn = packet.ecn;
    copy->sent_at = now;
  }
  direction.gates.damage(packet.bytes, phases_, now);
  const Fate queued = enqueue(direction, packet, now);
  if (copy && enqueue(direction, *copy, now) != Fate::delivered) recycle(std::move(copy->bytes));
  return queued;
}

// Takes the packet if there is room.
Fate Path::enqueue(Direction& direction, Packet& packet, TimePoint now) {
  if (direction.managed) {
    if (!direction.managed->enqueue(packet, now)) return Fate::queue_full;
    transmit(direction, now);
    return Fate::delivered;
  }
  const auto carried = direction.tail.carry(packet.bytes.size(), now);
  if (!carried) return Fate::queue_full;
  packet.waited = carried->begins - now;
  packet.leaves_at = carried->leaves;
  put_on_line(direction, std::move(packet));
  return Fate::delivered;
}

void Path::transmit(Direction& direction, TimePoint now) {
  while (auto packet = direction.managed->advance(dropped_, now)) put_on_line(direction, std::move(*packet));
}

void Path::put_on_line(Direction& direction, Packet packet) {
  const std::uint32_t flow = packet.flow;
  const TimePoint leaves_at = packet.leaves_at;
  const TimePoint arrives_at = direction.line.arrival(flow, leaves_at);
  std::optional<Reordering::Hold> hold;
  for (Reordering& reordering : direction.reorderings) {
    if (const auto chosen = reordering.hold(packet.bytes.size(), phases_, leaves_at)) hold = chosen;
  }
  const std::uint32_t slot = store(std::move(packet));
  if (!hold) {
    arrivals_.push(arrives_at, slot);
    note_overtaking(direction, flow, arrives_at);
  } else if (hold->packets == 0) {
    arrivals_.push(arrives_at + hold->at_most, slot);
  } else {
    direction.held.push_back({slot, flow, hold->packets, arrives_at + hold->at_most});
  }
}

// What was held until enough packets had passed it comes directly behind the last of them.
void Path::note_overtaking(Direction& direction, std::uint32_t flow, TimePoint arrives_at) {
  if (direction.held.empty()) return;
  for (Held& held : direction.held) {
    if (held.flow != flow || --held.to_be_overtaken_by > 0) continue;
    arrivals_.push(std::min(arrives_at, held.at_most), held.slot);
  }
  std::erase_if(direction.held, [](const Held& held) { return held.to_be_overtaken_by == 0; });
}

void Path::release_overdue(Direction& direction, TimePoint now) {
  for (const Held& held : direction.held) {
    if (held.at_most <= now) arrivals_.push(held.at_most, held.slot);
  }
  std::erase_if(direction.held, [&](const Held& held) { return held.at_most <= now; });
}

std::uint32_t Path::store(Packet packet) {
  if (free_slots_.empty()) {
    slots_.push_back(std::move(packet));
    return static_cast<std::uint32_t>(slots_.size() - 1);
  }
  const std::uint32_t slot = free_slots_.back();
  free_slots_.pop_back();
  slots_[slot] = std::move(packet);
  return slot;
}

std::optional<TimePoint> Path::next_chore() const {
  std::optional<TimePoint> next;
  for (const Direction& direction : directions_) {
    if (direction.managed) next = earlier(next, direction.managed->next_event());
    for (const Held& held : direction.held) next = earlier(next, held.at_most);
  }
  return next;
}

std::optional<TimePoint> Path::next_event() const {
  if (!dropped_.empty()) return TimePoint::min();
  const auto chore = next_chore();
  return arrivals_.empty() ? chore : earlier(chore, arrivals_.next_at());
}

std::optional<Exit> Path::poll(TimePoint now) {
  for (;;) {
    if (!dropped_.empty()) {
      Exit exit{Fate::dropped_by_queue, std::move(dropped_.front())};
      dropped_.erase(dropped_.begin());
      return exit;
    }
    const auto chore = next_chore();
    if (chore && *chore <= now && (arrivals_.empty() || *chore <= arrivals_.next_at())) {
      for (Direction& direction : directions_) {
        if (direction.managed) transmit(direction, *chore);
        release_overdue(direction, *chore);
      }
      continue;
    }
    if (arrivals_.empty() || arrivals_.next_at() > now) return std::nullopt;
    const TimePoint at = arrivals_.next_at();
    const std::uint32_t slot = arrivals_.pop();
    free_slots_.push_back(slot);
    return Exit{fate_at_nat(slots_[slot], at), std::move(slots_[slot])};
  }
}

// The NAT stands at the client's end.
Fate Path::fate_at_nat(const Packet& packet, TimePoint at) const {
  const bool is_known = rebindings_.empty() || packet.way == Way::up || packet.binding == binding(at);
  return is_known ? Fate::delivered : Fate::unmapped;
}

std::uint32_t Path::binding(TimePoint now) const {
  return static_cast<std::uint32_t>(std::ranges::count_if(rebindings_, [&](const Trigger& trigger) {
    const auto at = phases_.begins_at(trigger);
    return at && now >= *at;
  }));
}

ByteCount Path::backlog(Way way, TimePoint now) const {
  const Direction& direction = directions_[index(way)];
  return direction.managed ? direction.managed->backlog(now) : direction.tail.backlog(now);
}

std::optional<TimePoint> Path::trouble_ends_at() const {
  TimePoint end = phases_.start();
  for (const Direction& direction : directions_) {
    const auto over = direction.gates.trouble_ends_at(phases_);
    if (!over) return std::nullopt;
    end = std::max(end, *over);
    for (const Reordering& reordering : direction.reorderings) {
      const Phase& phase = reordering.when();
      if (!phase.lasts) continue;
      const auto begin = phases_.begins_at(phase.from);
      if (!begin) return std::nullopt;
      end = std::max(end, *begin + *phase.lasts);
    }
  }
  return end;
}

}  // namespace quell::path
