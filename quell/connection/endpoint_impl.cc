#include "quell/connection/endpoint_impl.h"

#include <algorithm>

#include "quell/base/check.h"

namespace quell {
namespace {

std::unique_ptr<Random> make_random(const std::optional<std::uint64_t>& seed) {
  return seed ? make_seeded_random(Rng{*seed}) : make_system_random();
}

}  // namespace

Endpoint::Impl::Impl(EndpointConfig config)
    : config_(std::move(config)),
      random_(make_random(config_.seed)),
      tokens_(*random_),
      routes_(16, ConnectionIdHash{random_->u64()}) {
  QUELL_CHECK(config_.connection_id_size >= 4);
  QUELL_CHECK(config_.connection_id_size <= ConnectionId::kMaxSize);
}

ConnectionId Endpoint::Impl::make_id() {
  std::array<std::uint8_t, ConnectionId::kMaxSize> bytes{};
  const MutableBytes id = MutableBytes{bytes}.first(config_.connection_id_size);
  for (;;) {
    random_->fill(id);
    const ConnectionId made{id};
    if (!routes_.contains(made)) return made;
  }
}

std::uint8_t Endpoint::Impl::random_byte() {
  return static_cast<std::uint8_t>(random_->u64());
}

std::unique_ptr<trace::Sink> Endpoint::Impl::make_sink(Side side, const ConnectionId& original_destination) {
  return config_.sinks ? config_.sinks->make_sink(side, original_destination) : nullptr;
}

std::uint32_t Endpoint::Impl::add(Connection::Setup setup, TimePoint now) {
  if (free_slots_.empty()) {
    free_slots_.push_back(static_cast<std::uint32_t>(slots_.size()));
    slots_.emplace_back();
  }
  const std::uint32_t slot = free_slots_.back();
  free_slots_.pop_back();
  slots_[slot].connection = std::make_unique<Connection>(std::move(setup), now);
  ++live_;
  return slot;
}

ConnectionHandle Endpoint::Impl::connect(const Address& local, const Address& remote,
                                         const std::string& server_name, CredentialsPtr credentials,
                                         const ConnectionConfig& config, TimePoint now) {
  // RFC 9000 §7.2: at least eight unpredictable bytes.
  std::array<std::uint8_t, 8> destination{};
  random_->fill(destination);
  Connection::Setup setup{.side = Side::client,
                          .config = config,
                          .credentials = std::move(credentials),
                          .server_name = server_name,
                          .local = local,
                          .remote = remote,
                          .original_destination = ConnectionId{destination},
                          .local_id = make_id(),
                          .remote_id = ConnectionId{destination},
                          .grease = random_->u64() >> 10};
  setup.sink = make_sink(Side::client, setup.original_destination);
  const std::uint32_t slot = add(std::move(setup), now);
  touch(slot);
  return handle_of(slot);
}

const Connection* Endpoint::Impl::find(ConnectionHandle handle) const {
  if (handle.slot >= slots_.size() || slots_[handle.slot].generation != handle.generation) return nullptr;
  return slots_[handle.slot].connection.get();
}

Connection* Endpoint::Impl::find(ConnectionHandle handle) {
  return const_cast<Connection*>(std::as_const(*this).find(handle));
}

void Endpoint::Impl::follow_id_changes(std::uint32_t slot) {
  Connection& connection = *slots_[slot].connection;
  for (std::size_t wanted = connection.ids_wanted(); wanted > 0; --wanted) {
    const ConnectionId id = make_id();
    connection.issue_id(id, tokens_.reset_token(id));
    routes_[id] = slot;
  }
  const LocalConnectionIds::Changes changes = connection.take_id_changes();
  for (const ConnectionId& id : changes.added) routes_[id] = slot;
  for (const ConnectionId& id : changes.removed) routes_.erase(id);
}

void Endpoint::Impl::touch(std::uint32_t slot) {
  Slot& s = slots_[slot];
  follow_id_changes(slot);
  for (EventQueue& queue = s.connection->events(); !queue.empty(); queue.pop_front()) {
    events_.push_back({handle_of(slot), std::move(queue.front())});
  }
  if (s.connection->is_gone() && !s.is_ending) {
    s.is_ending = true;
    ended_.push_back(slot);
    set_timer(slot, std::nullopt);
    --live_;
  }
  if (!s.is_queued && !s.is_ending) {
    s.is_queued = true;
    to_transmit_.push_back(slot);
  }
}

void Endpoint::Impl::set_timer(std::uint32_t slot, std::optional<TimePoint> timer) {
  Slot& s = slots_[slot];
  if (s.timer == timer) return;
  if (s.timer) timers_.erase({*s.timer, slot});
  s.timer = timer;
  if (timer) timers_.insert({*timer, slot});
}

// Ended connections stay until their last events were polled, so that their statistics can still be asked
// for.
void Endpoint::Impl::reap() {
  if (ended_.empty() || !events_.empty()) return;
  for (std::uint32_t slot : ended_) {
    Slot& s = slots_[slot];
    for (const auto& issued : s.connection->local_ids()) routes_.erase(issued.id);
    if (s.first_destination) {
      const auto first = routes_.find(*s.first_destination);
      if (first != routes_.end() && first->second == slot) routes_.erase(first);
      s.first_destination.reset();
    }
    s.connection.reset();
    s.is_ending = false;
    ++s.generation;
    if (s.is_queued) std::erase(to_transmit_, slot);
    s.is_queued = false;
    free_slots_.push_back(slot);
  }
  ended_.clear();
}

void Endpoint::Impl::handle_timeout(TimePoint now) {
  reap();
  while (!timers_.empty() && timers_.begin()->first <= now) {
    const std::uint32_t slot = timers_.begin()->second;
    set_timer(slot, std::nullopt);
    slots_[slot].connection->on_timeout(now);
    touch(slot);
  }
}

std::optional<TimePoint> Endpoint::Impl::next_timeout() const {
  if (timers_.empty()) return std::nullopt;
  return timers_.begin()->first;
}

std::optional<Event> Endpoint::Impl::poll_event() {
  if (events_.empty()) return std::nullopt;
  Event event = std::move(events_.front());
  events_.pop_front();
  return event;
}

std::optional<Transmit> Endpoint::Impl::poll_transmit(MutableBytes buffer, std::size_t max_segments,
                                                      TimePoint now) {
  if (!stateless_.empty()) {
    const Stateless answer = stateless_.pop();
    QUELL_CHECK(answer.bytes.size() <= buffer.size());
    std::ranges::copy(answer.bytes, buffer.begin());
    return Transmit{.local = answer.local,
                    .remote = answer.remote,
                    .size = answer.bytes.size(),
                    .segment_size = answer.bytes.size()};
  }
  while (!to_transmit_.empty()) {
    const std::uint32_t slot = to_transmit_.front();
    to_transmit_.pop_front();
    Slot& s = slots_[slot];
    s.is_queued = false;
    auto transmit = s.connection->transmit(buffer, max_segments, now);
    if (transmit) {
      touch(slot);  // to the end of the queue: connections take turns, burst by burst
      return transmit;
    }
    if (!s.is_ending) set_timer(slot, s.connection->next_timeout());
    if (!s.connection->events().empty()) touch(slot);
  }
  return std::nullopt;
}

void Endpoint::Impl::peer_unreachable(const Address& remote, TimePoint now) {
  for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
    Connection* connection = slots_[slot].connection.get();
    if (connection == nullptr || connection->remote() != remote) continue;
    connection->on_unreachable(now);
    touch(slot);
  }
}

std::size_t Endpoint::Impl::connection_count() const {
  return live_;
}

}  // namespace quell
