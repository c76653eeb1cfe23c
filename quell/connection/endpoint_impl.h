// How does an endpoint keep its connections, route datagrams to them and remember who wants to send?
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <set>
#include <unordered_map>
#include <utility>
#include <vector>

#include "quell/base/bounded_queue.h"
#include "quell/connection/connection.h"
#include "quell/connection/endpoint.h"
#include "quell/crypto/random.h"
#include "quell/crypto/token.h"
#include "quell/wire/packet_header.h"

namespace quell {

// Invariant: every live connection's IDs are in routes_, and its timer (if any) in timers_.
class Endpoint::Impl {
 public:
  explicit Impl(EndpointConfig config);

  void handle_datagram(const Datagram& datagram, TimePoint now);
  void handle_timeout(TimePoint now);
  std::optional<Transmit> poll_transmit(MutableBytes buffer, std::size_t max_segments, TimePoint now);
  std::optional<TimePoint> next_timeout() const;
  std::optional<Event> poll_event();

  ConnectionHandle connect(const Address& local, const Address& remote, const std::string& server_name,
                           CredentialsPtr credentials, const ConnectionConfig& config, TimePoint now);
  void peer_unreachable(const Address& remote, TimePoint now);
  std::size_t connection_count() const;

  // Null for a stale handle.
  Connection* find(ConnectionHandle handle);
  const Connection* find(ConnectionHandle handle) const;
  // The application changed something: the connection may have something to send or to tell.
  void touch(ConnectionHandle handle) { touch(handle.slot); }

 private:
  struct Slot {
    std::unique_ptr<Connection> connection;
    std::uint32_t generation = 1;
    std::optional<TimePoint> timer;
    // Server: what the client's first accepted Initial was sent to; a route beside those of our own IDs.
    std::optional<ConnectionId> first_destination;
    bool is_queued = false;  // in to_transmit_
    bool is_ending = false;  // in ended_
  };
  // A packet that belongs to no connection: Version Negotiation, Retry, stateless reset, a refusal.
  struct Stateless {
    Address local;
    Address remote;
    std::vector<std::uint8_t> bytes;
  };
  // Choice: what is answered without state is worth little memory; a flood drops the answers to itself.
  static constexpr std::size_t kMaxStateless = 64;

  // endpoint_route.cc
  void on_unroutable(const Datagram& datagram, TimePoint now);
  void on_new_client(const Datagram& datagram, const ProtectedPacket& packet, TimePoint now);
  void answer_version(const Datagram& datagram);
  void answer_retry(const Datagram& datagram, const ProtectedPacket& packet, TimePoint now);
  void answer_close(const Datagram& datagram, const ProtectedPacket& packet, TransportError code);
  void answer_reset(const Datagram& datagram, const ConnectionId& destination);
  bool is_reset_for_client(const Datagram& datagram, TimePoint now);
  void send_stateless(const Datagram& to, std::vector<std::uint8_t> bytes);

  // endpoint_impl.cc
  std::uint32_t add(Connection::Setup setup, TimePoint now);
  void touch(std::uint32_t slot);
  void set_timer(std::uint32_t slot, std::optional<TimePoint> timer);
  void follow_id_changes(std::uint32_t slot);
  void reap();
  ConnectionId make_id();
  std::uint8_t random_byte();
  std::unique_ptr<trace::Sink> make_sink(Side side, const ConnectionId& original_destination);
  ConnectionHandle handle_of(std::uint32_t slot) const { return {slot, slots_[slot].generation}; }

  EndpointConfig config_;
  std::unique_ptr<Random> random_;
  TokenKey tokens_;
  std::vector<Slot> slots_;
  std::vector<std::uint32_t> free_slots_;
  std::unordered_map<ConnectionId, std::uint32_t, ConnectionIdHash> routes_;  // looked up only
  std::set<std::pair<TimePoint, std::uint32_t>> timers_;
  std::deque<std::uint32_t> to_transmit_;
  std::vector<std::uint32_t> ended_;
  std::deque<Event> events_;
  BoundedQueue<Stateless> stateless_{kMaxStateless};
  std::size_t live_ = 0;
};

}  // namespace quell
