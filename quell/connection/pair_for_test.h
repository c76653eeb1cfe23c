// How do tests see two endpoints talk? Joined by a pipe with delay and loss, in virtual time.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "quell/base/rng.h"
#include "quell/connection/endpoint.h"

namespace quell::test {

inline const PemPair& lab_certificate() {
  static const PemPair pair = make_throwaway_certificate(KeyAlgorithm::ed25519);
  return pair;
}
inline CredentialsPtr server_credentials() {
  static const CredentialsPtr credentials =
      *server_credentials_from_pem(lab_certificate().certificate, lab_certificate().key);
  return credentials;
}
inline CredentialsPtr client_credentials() {
  static const CredentialsPtr credentials = *client_credentials_from_ca_pem(lab_certificate().certificate);
  return credentials;
}
inline ConnectionConfig echo_config() {
  ConnectionConfig config;
  config.alpn = {"test"};
  return config;
}

// A client and a server. Datagrams take `delay` each way; `fate` may drop (return false) or change them.
class Pair {
 public:
  using Fate = std::function<bool(Side from, std::vector<std::uint8_t>& datagram)>;

  explicit Pair(ConnectionConfig client_config = echo_config(), EndpointConfig server_config = {},
                EndpointConfig client_endpoint = {})
      : client_config_(std::move(client_config)) {
    if (server_config.server.alpn.empty()) server_config.server.alpn = {"test"};
    server_config.server_credentials = server_credentials();
    if (!server_config.seed) server_config.seed = 2;
    if (!client_endpoint.seed) client_endpoint.seed = 1;
    client = std::make_unique<Endpoint>(std::move(client_endpoint));
    server = std::make_unique<Endpoint>(std::move(server_config));
  }

  void connect(const std::string& name = "localhost") {
    client_connection = client->connect(kClient, kServer, name, client_credentials(), client_config_, now);
  }

  // Lets virtual time pass until `done` or `limit` has passed; true if done.
  bool run_until(const std::function<bool()>& done, Duration limit = seconds{60}) {
    const TimePoint deadline = now + limit;
    for (;;) {
      pump();
      if (done()) return true;
      const auto next = next_time();
      if (!next || *next > deadline) {
        now = deadline;
        return false;
      }
      now = std::max(now, *next);
      deliver_due();
      client->handle_timeout(now);
      server->handle_timeout(now);
    }
  }
  bool run_for(Duration time) {
    return run_until([] { return false; }, time);
  }
  // Runs until both sides have the handshake confirmed.
  bool handshake() {
    connect();
    return run_until(
        [this] { return saw<HandshakeConfirmed>(Side::client) && saw<HandshakeConfirmed>(Side::server); });
  }

  // All events heard so far.
  template <typename T>
  const T* last(Side side) const {
    const auto& events = side == Side::client ? client_events : server_events;
    for (auto it = events.rbegin(); it != events.rend(); ++it) {
      if (const T* event = std::get_if<T>(&it->what)) return event;
    }
    return nullptr;
  }
  template <typename T>
  bool saw(Side side) const {
    return last<T>(side) != nullptr;
  }

  Endpoint& endpoint(Side side) { return side == Side::client ? *client : *server; }
  ConnectionHandle handle(Side side) const {
    return side == Side::client ? client_connection : server_connection;
  }

  // Everything readable is read into `received` as it arrives.
  struct Received {
    std::vector<std::uint8_t> bytes;
    bool fin = false;
  };
  std::map<std::pair<Side, StreamId>, Received> received;

  std::unique_ptr<Endpoint> client;
  std::unique_ptr<Endpoint> server;
  ConnectionHandle client_connection;
  ConnectionHandle server_connection;
  std::vector<Event> client_events;
  std::vector<Event> server_events;
  TimePoint now{};
  Duration delay = milliseconds{10};
  Fate fate;
  bool auto_read = true;
  std::size_t datagrams = 0;

  static inline const Address kClient = *Address::parse("10.0.0.1:1000");
  static inline const Address kServer = *Address::parse("10.0.0.2:443");

  // Puts a datagram on its way as if `from` had sent it.
  void inject(Side from, std::vector<std::uint8_t> datagram, Ecn ecn = Ecn::not_ect) {
    wire_.emplace(std::make_pair(now + delay, order_++), InFlight{from, std::move(datagram), ecn});
  }

 private:
  struct InFlight {
    Side from;
    std::vector<std::uint8_t> bytes;
    Ecn ecn;
  };

  void pump() {
    for (Side side : {Side::client, Side::server}) {
      for (bool again = true; again;) {
        again = poll_events(side);
        again |= send(side);
      }
    }
  }
  bool poll_events(Side side) {
    bool any = false;
    while (auto event = endpoint(side).poll_event()) {
      any = true;
      if (side == Side::server && std::holds_alternative<ConnectionAccepted>(event->what)) {
        server_connection = event->connection;
      }
      if (const auto* readable = std::get_if<StreamReadable>(&event->what); readable && auto_read) {
        read_all(side, event->connection, readable->stream);
      }
      (side == Side::client ? client_events : server_events).push_back(std::move(*event));
    }
    return any;
  }
  void read_all(Side side, ConnectionHandle connection, StreamId stream) {
    auto& into = received[{side, stream}];
    for (;;) {
      const auto got = endpoint(side).read(connection, stream);
      if (!got || (got->bytes.empty() && !got->fin)) return;
      into.bytes.insert(into.bytes.end(), got->bytes.begin(), got->bytes.end());
      into.fin = got->fin;
      endpoint(side).consume(connection, stream, got->bytes.size());
      if (into.fin) return;
    }
  }
  bool send(Side side) {
    bool any = false;
    std::vector<std::uint8_t> buffer(65536);
    while (auto transmit = endpoint(side).poll_transmit(buffer, 44, now)) {
      any = true;
      for (std::size_t at = 0; at < transmit->size; at += transmit->segment_size) {
        const std::size_t size = std::min(transmit->segment_size, transmit->size - at);
        std::vector<std::uint8_t> datagram(buffer.begin() + static_cast<std::ptrdiff_t>(at),
                                           buffer.begin() + static_cast<std::ptrdiff_t>(at + size));
        ++datagrams;
        if (!fate || fate(side, datagram)) inject(side, std::move(datagram), transmit->ecn);
      }
    }
    return any;
  }
  std::optional<TimePoint> next_time() {
    std::optional<TimePoint> next;
    if (!wire_.empty()) next = wire_.begin()->first.first;
    for (Side side : {Side::client, Side::server}) {
      const auto timeout = endpoint(side).next_timeout();
      if (timeout && (!next || *timeout < *next)) next = timeout;
    }
    return next;
  }
  void deliver_due() {
    while (!wire_.empty() && wire_.begin()->first.first <= now) {
      InFlight datagram = std::move(wire_.begin()->second);
      wire_.erase(wire_.begin());
      const bool to_server = datagram.from == Side::client;
      endpoint(to_server ? Side::server : Side::client)
          .handle_datagram({.bytes = datagram.bytes,
                            .local = to_server ? kServer : kClient,
                            .remote = to_server ? kClient : kServer,
                            .ecn = datagram.ecn},
                           now);
    }
  }

  ConnectionConfig client_config_;
  std::map<std::pair<TimePoint, std::uint64_t>, InFlight> wire_;
  std::uint64_t order_ = 0;
};

// `size` bytes that tell their place.
inline std::vector<std::uint8_t> pattern(std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(i * 2654435761U >> 24);
  return bytes;
}

}  // namespace quell::test
