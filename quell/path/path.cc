#include "quell/path/path.h"

#include <algorithm>

#include "quell/wire/packet_header.h"

namespace quell::path {

const char* to_string(Way way) {
  return way == Way::up ? "up" : "down";
}

const char* to_string(Fate fate) {
  switch (fate) {
    case Fate::delivered:
      return "delivered";
    case Fate::lost_by_chance:
      return "lost by chance";
    case Fate::dropped_by_script:
      return "dropped by script";
    case Fate::thinned:
      return "thinned";
    case Fate::queue_full:
      return "queue full";
  }
  return "?";
}

bool holds_one_rtt(Bytes datagram) {
  while (!datagram.empty()) {
    if ((datagram[0] & 0x80) == 0) return true;
    const auto packet = parse_packet(datagram, 0);
    if (!packet || packet->size == 0) return false;
    datagram = datagram.subspan(packet->size);
  }
  return false;
}

Path::Direction Path::make_direction(const DirectionConfig& config, const Rng& rng) {
  Direction direction{Link{config.link, rng.fork("jitter")}, {}, {}, config.thin};
  const Rng loss_rng = rng.fork("loss");
  std::size_t ordinal = 0;
  for (const LossPhase& phase : config.losses) {
    const char label = static_cast<char>('a' + ordinal++ % 26);
    direction.losses.push_back(Loss{phase, LossModel{phase, loss_rng.fork({&label, 1})}});
  }
  for (const DropScript& script : config.drops) direction.drops.push_back(Drop{script});
  return direction;
}

Path::Path(const PathConfig& config, const Rng& rng, TimePoint start)
    : start_(start),
      directions_{make_direction(config.up, rng.fork("up")), make_direction(config.down, rng.fork("down"))} {}

Passage Path::send(Way way, Bytes datagram, TimePoint now) {
  watch(way, datagram, now);
  Direction& direction = directions_[index(way)];
  // Chance is drawn first and always, so that a script does not shift the draws of the packets behind it.
  const bool lost = is_lost_by_chance(direction, now);
  if (is_dropped_by_script(direction, datagram.size(), now)) return {Fate::dropped_by_script};
  if (is_thinned(direction, datagram)) return {Fate::thinned};
  if (lost) return {Fate::lost_by_chance};
  const auto arrives_at = direction.link.carry(datagram.size(), now);
  if (!arrives_at) return {Fate::queue_full};
  return {Fate::delivered, *arrives_at};
}

void Path::watch(Way way, Bytes datagram, TimePoint now) {
  auto& first = first_one_rtt_[index(way)];
  if (!first && holds_one_rtt(datagram)) first = now;
}

std::optional<TimePoint> Path::begins_at(const Trigger& trigger) const {
  switch (trigger.opening) {
    case Opening::start:
      return start_ + trigger.after;
    case Opening::first_one_rtt_up:
    case Opening::first_one_rtt_down: {
      const auto& first =
          first_one_rtt_[index(trigger.opening == Opening::first_one_rtt_up ? Way::up : Way::down)];
      if (first) return *first + trigger.after;
      break;
    }
  }
  return std::nullopt;
}

bool Path::is_open(const LossPhase& phase, TimePoint now) const {
  const auto begin = begins_at(phase.from);
  return begin && now >= *begin && (!phase.lasts || now < *begin + *phase.lasts);
}

bool Path::is_lost_by_chance(Direction& direction, TimePoint now) {
  bool lost = false;
  for (Loss& loss : direction.losses) {
    if (is_open(loss.phase, now)) lost = loss.model.is_lost() || lost;
  }
  return lost;
}

bool Path::is_dropped_by_script(Direction& direction, ByteCount size, TimePoint now) {
  for (Drop& drop : direction.drops) {
    if (drop.done == drop.script.times || size < drop.script.least_size) continue;
    const auto begin = begins_at(drop.script.from);
    if (!begin || now < *begin || now < drop.not_before) continue;
    ++drop.done;
    drop.not_before = now + drop.script.every;
    drop.last_at = now;
    return true;
  }
  return false;
}

bool Path::is_thinned(Direction& direction, Bytes datagram) {
  const ThinScript& thin = direction.thin;
  if (thin.keep_one_in <= 1 || datagram.size() > thin.at_most || (datagram[0] & 0x80) != 0) return false;
  return direction.thin_count++ % thin.keep_one_in != thin.keep_one_in - 1;
}

std::optional<TimePoint> Path::trouble_ends_at() const {
  TimePoint end = start_;
  for (const Direction& direction : directions_) {
    for (const Loss& loss : direction.losses) {
      if (!loss.phase.lasts) continue;
      const auto begin = begins_at(loss.phase.from);
      if (!begin) return std::nullopt;
      end = std::max(end, *begin + *loss.phase.lasts);
    }
    for (const Drop& drop : direction.drops) {
      if (drop.done < drop.script.times) return std::nullopt;
      end = std::max(end, drop.last_at);
    }
  }
  return end;
}

}  // namespace quell::path
