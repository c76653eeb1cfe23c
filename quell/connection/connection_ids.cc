#include "quell/connection/connection_ids.h"

#include <algorithm>

#include "quell/base/check.h"

namespace quell {
namespace {

constexpr auto kNewType = static_cast<std::uint64_t>(FrameType::new_connection_id);
constexpr auto kRetireType = static_cast<std::uint64_t>(FrameType::retire_connection_id);
// RFC 9000 §5.1.2 wants a limit on IDs that wait for their retirement to be acknowledged: twice the active
// limit at least.
constexpr std::size_t kMaxRetiring = 4 * kActiveConnectionIdLimit;

}  // namespace

LocalConnectionIds::LocalConnectionIds(const ConnectionId& first) {
  active_.push_back({0, first, {}});
  changes_.added.push_back(first);
}

std::size_t LocalConnectionIds::wanted(std::uint64_t peer_limit) const {
  const std::uint64_t most = std::min(peer_limit, kActiveConnectionIdLimit);
  return most > active_.size() ? static_cast<std::size_t>(most - active_.size()) : 0;
}

void LocalConnectionIds::issue(const ConnectionId& id, const StatelessResetToken& token) {
  active_.push_back({next_sequence_, id, token});
  unsent_.insert(next_sequence_);
  changes_.added.push_back(id);
  ++next_sequence_;
}

Result<void> LocalConnectionIds::on_retire(const RetireConnectionIdFrame& frame,
                                           const ConnectionId& packet_destination) {
  if (frame.sequence >= next_sequence_) {
    return fail(TransportError::protocol_violation, "retires an ID that was never issued", kRetireType);
  }
  const auto it = std::ranges::find(active_, frame.sequence, &Issued::sequence);
  if (it == active_.end()) return {};
  if (it->id == packet_destination) {
    return fail(TransportError::protocol_violation, "retires the ID that its own packet used", kRetireType);
  }
  changes_.removed.push_back(it->id);
  unsent_.erase(frame.sequence);
  active_.erase(it);
  return {};
}

void LocalConnectionIds::write_frames(FrameSink& sink) {
  while (!unsent_.empty()) {
    const std::uint64_t sequence = *unsent_.begin();
    const auto it = std::ranges::find(active_, sequence, &Issued::sequence);
    QUELL_CHECK(it != active_.end());
    const NewConnectionIdFrame frame{sequence, 0, it->id, it->reset_token};
    if (!sink.put(frame, {.type = FrameType::new_connection_id, .id = sequence})) return;
    unsent_.erase(unsent_.begin());
  }
}

void LocalConnectionIds::on_lost(const SentFrame& frame) {
  const bool still_active = std::ranges::find(active_, frame.id, &Issued::sequence) != active_.end();
  if (still_active) unsent_.insert(frame.id);
}

LocalConnectionIds::Changes LocalConnectionIds::take_changes() {
  return std::exchange(changes_, {});
}

RemoteConnectionIds::RemoteConnectionIds(const ConnectionId& first) {
  active_.push_back({0, first, {}});
}

void RemoteConnectionIds::replace_first(const ConnectionId& id) {
  active_.front().id = id;
}

void RemoteConnectionIds::set_first_reset_token(const StatelessResetToken& token) {
  if (active_.front().sequence == 0) active_.front().reset_token = token;
}

Result<void> RemoteConnectionIds::retire(std::uint64_t sequence) {
  if (retire_.size() + retire_sent_.size() >= kMaxRetiring) {
    return fail(TransportError::connection_id_limit_error, "retires IDs faster than we can confirm",
                kNewType);
  }
  if (!retire_sent_.contains(sequence)) retire_.insert(sequence);
  return {};
}

Result<void> RemoteConnectionIds::on_new(const NewConnectionIdFrame& frame) {
  if (current().empty()) {
    return fail(TransportError::protocol_violation, "a new ID from an end that uses none", kNewType);
  }
  const auto same = std::ranges::find_if(
      active_, [&](const Known& k) { return k.sequence == frame.sequence || k.id == frame.id; });
  if (same != active_.end()) {
    const bool is_repeat = same->sequence == frame.sequence && same->id == frame.id;
    if (!is_repeat) return fail(TransportError::protocol_violation, "one ID under two numbers", kNewType);
  } else if (frame.sequence < retire_prior_to_) {
    return retire(frame.sequence);  // it was to be retired before it came
  } else {
    active_.push_back({frame.sequence, frame.id, frame.reset_token});
    std::ranges::sort(active_, {}, &Known::sequence);
  }
  retire_prior_to_ = std::max(retire_prior_to_, frame.retire_prior_to);
  while (!active_.empty() && active_.front().sequence < retire_prior_to_) {
    if (auto retired = retire(active_.front().sequence); !retired) return retired;
    active_.erase(active_.begin());
  }
  // The frame's own ID has a number of at least retire_prior_to (the reader checked), so one is left.
  QUELL_CHECK(!active_.empty());
  if (active_.size() > kActiveConnectionIdLimit) {
    return fail(TransportError::connection_id_limit_error, "more IDs than we take", kNewType);
  }
  return {};
}

bool RemoteConnectionIds::matches_reset_token(Bytes token) const {
  bool found = false;
  for (const Known& known : active_) {
    if (!known.reset_token) continue;
    // All bytes are always compared: how long it takes tells nothing (§10.3.1).
    std::uint8_t difference = 0;
    for (std::size_t i = 0; i < token.size(); ++i)
      difference = static_cast<std::uint8_t>(difference | (token[i] ^ (*known.reset_token)[i]));
    found |= difference == 0;
  }
  return found;
}

void RemoteConnectionIds::write_frames(FrameSink& sink) {
  while (!retire_.empty()) {
    const std::uint64_t sequence = *retire_.begin();
    if (!sink.put(RetireConnectionIdFrame{sequence},
                  {.type = FrameType::retire_connection_id, .id = sequence})) {
      return;
    }
    retire_.erase(retire_.begin());
    retire_sent_.insert(sequence);
  }
}

void RemoteConnectionIds::on_acked(const SentFrame& frame) {
  retire_sent_.erase(frame.id);
}

void RemoteConnectionIds::on_lost(const SentFrame& frame) {
  if (retire_sent_.erase(frame.id) > 0) retire_.insert(frame.id);
}

}  // namespace quell
