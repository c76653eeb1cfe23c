#include "quell/path/gates.h"

#include <algorithm>

namespace quell::path {
namespace {

// The streams of equal elements differ by a letter.
Rng fork_of(const Rng& rng, std::size_t ordinal) {
  const char label = static_cast<char>('a' + ordinal % 26);
  return rng.fork({&label, 1});
}

}  // namespace

Gates::Gates(const DirectionConfig& config, const Rng& rng) : thin_(config.thin), mtus_(config.mtus) {
  const Rng loss_rng = rng.fork("loss");
  for (const LossPhase& phase : config.losses)
    losses_.push_back({phase, LossModel{phase, fork_of(loss_rng, losses_.size())}});
  for (const DropScript& script : config.drops) drops_.push_back(Drop{script});
  const Rng ecn_rng = rng.fork("ecn");
  for (const EcnPhase& phase : config.ecn)
    ecn_boxes_.emplace_back(phase, fork_of(ecn_rng, ecn_boxes_.size()));
  for (const PolicerConfig& policer : config.policers) policers_.emplace_back(policer);
  const Rng double_rng = rng.fork("double");
  for (const DuplicatePhase& phase : config.duplicates)
    doublings_.push_back({phase, fork_of(double_rng, doublings_.size())});
  const Rng corrupt_rng = rng.fork("corrupt");
  for (const CorruptPhase& phase : config.corruptions)
    corruptions_.emplace_back(phase, fork_of(corrupt_rng, corruptions_.size()));
}

Fate Gates::pass(Bytes datagram, Ecn& ecn, const Phases& phases, TimePoint now) {
  const ByteCount size = datagram.size();
  // Chance is drawn first and always, so that a script does not shift the draws of the packets behind it.
  const bool lost = is_lost_by_chance(phases, now);
  if (is_dropped_by_script(size, phases, now)) return Fate::dropped_by_script;
  if (is_thinned(datagram)) return Fate::thinned;
  if (lost) return Fate::lost_by_chance;
  if (is_too_large(size, phases, now)) return Fate::too_large;
  if (is_swallowed(ecn, phases, now)) return Fate::black_holed;
  if (is_policed(size, phases, now)) return Fate::policed;
  return Fate::delivered;
}

bool Gates::is_lost_by_chance(const Phases& phases, TimePoint now) {
  bool lost = false;
  for (Loss& loss : losses_) {
    if (phases.is_open(loss.phase.from, loss.phase.lasts, now)) lost = loss.model.is_lost() || lost;
  }
  return lost;
}

bool Gates::is_dropped_by_script(ByteCount size, const Phases& phases, TimePoint now) {
  for (Drop& drop : drops_) {
    if (drop.done == drop.script.times || size < drop.script.least_size) continue;
    const auto begin = phases.begins_at(drop.script.from);
    if (!begin || now < *begin || now < drop.not_before) continue;
    ++drop.done;
    drop.not_before = now + drop.script.every;
    drop.last_at = now;
    return true;
  }
  return false;
}

bool Gates::is_thinned(Bytes datagram) {
  if (thin_.keep_one_in <= 1 || datagram.size() > thin_.at_most || (datagram[0] & 0x80) != 0) return false;
  return thin_count_++ % thin_.keep_one_in != thin_.keep_one_in - 1;
}

bool Gates::is_too_large(ByteCount size, const Phases& phases, TimePoint now) const {
  return std::ranges::any_of(
      mtus_, [&](const MtuPhase& mtu) { return size > mtu.largest && phases.is_open(mtu.when, now); });
}

bool Gates::is_swallowed(Ecn& ecn, const Phases& phases, TimePoint now) {
  for (EcnBox& box : ecn_boxes_) {
    const auto passed = box.pass(ecn, phases, now);
    if (!passed) return true;
    ecn = *passed;
  }
  return false;
}

bool Gates::is_policed(ByteCount size, const Phases& phases, TimePoint now) {
  return std::ranges::any_of(policers_, [&](Policer& policer) { return !policer.admits(size, phases, now); });
}

bool Gates::is_doubled(const Phases& phases, TimePoint now) {
  bool doubled = false;
  for (Doubling& doubling : doublings_) {
    if (phases.is_open(doubling.phase.when, now))
      doubled = doubling.rng.chance(doubling.phase.probability) || doubled;
  }
  return doubled;
}

void Gates::damage(MutableBytes bytes, const Phases& phases, TimePoint now) {
  for (Corruption& corruption : corruptions_) corruption.damage(bytes, phases, now);
}

std::optional<TimePoint> Gates::trouble_ends_at(const Phases& phases) const {
  TimePoint end = phases.start();
  bool is_over = true;
  const auto note = [&](const Trigger& from, const std::optional<Duration>& lasts) {
    if (!lasts) return;
    const auto begin = phases.begins_at(from);
    is_over = is_over && begin.has_value();
    if (begin) end = std::max(end, *begin + *lasts);
  };
  const auto note_phase = [&](const Phase& phase) { note(phase.from, phase.lasts); };
  for (const Loss& loss : losses_) note(loss.phase.from, loss.phase.lasts);
  for (const Policer& policer : policers_) note_phase(policer.when());
  for (const Doubling& doubling : doublings_) note_phase(doubling.phase.when);
  for (const Corruption& corruption : corruptions_) note_phase(corruption.when());
  for (const MtuPhase& mtu : mtus_) note_phase(mtu.when);
  for (const EcnBox& box : ecn_boxes_) {
    note_phase(box.when());
    is_over = is_over && !box.has_more_to_do();
    end = std::max(end, box.last_at());
  }
  for (const Drop& drop : drops_) {
    is_over = is_over && drop.done == drop.script.times;
    end = std::max(end, drop.last_at);
  }
  if (!is_over) return std::nullopt;
  return end;
}

}  // namespace quell::path
