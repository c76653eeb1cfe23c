// How do tests see a client and a server of HTTP/3 talk? Real endpoints with TLS, joined by a delay, in
// virtual time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "quell/connection/application.h"
#include "quell/connection/endpoint.h"
#include "quell/http3/client.h"
#include "quell/http3/server.h"

namespace quell::http3::test {

// What a client saw of one request, or a server.
struct Exchange {
  std::uint32_t status = 0;
  std::string method;
  std::string path;
  Fields fields;
  std::string content;
  Fields trailers;
  bool ended = false;
  std::optional<RequestFailed> failed;
  std::optional<RequestCancelled> cancelled;
};

inline std::string text_of(Bytes bytes) {
  return {bytes.begin(), bytes.end()};
}

class ClientApplication final : public Application {
 public:
  void on_wake(Endpoint& endpoint, TimePoint now) override {
    while (const auto event = endpoint.poll_event()) client->handle(*event, endpoint, now);
    while (auto event = client->poll(endpoint, now)) record(*event);
    if (act) std::exchange(act, nullptr)(*client);
    client->flush(endpoint, now);
  }
  void record(ClientEvent& event) {
    if (auto* e = std::get_if<ResponseStarted>(&event)) {
      seen[e->request].status = e->status;
      seen[e->request].fields = std::move(e->fields);
    } else if (auto* content = std::get_if<ResponseContent>(&event)) {
      seen[content->request].content += text_of(content->bytes);
    } else if (auto* trailers = std::get_if<ResponseTrailers>(&event)) {
      seen[trailers->request].trailers = std::move(trailers->fields);
    } else if (auto* ended = std::get_if<ResponseEnded>(&event)) {
      seen[ended->request].ended = true;
    } else if (auto* failed = std::get_if<RequestFailed>(&event)) {
      seen[failed->request].failed = *failed;
    }
  }
  std::optional<Client> client;
  std::function<void(Client&)> act;  // once, at the next wake
  std::map<RequestId, Exchange> seen;
};

class ServerApplication final : public Application {
 public:
  void on_wake(Endpoint& endpoint, TimePoint now) override {
    while (const auto event = endpoint.poll_event()) {
      if (const auto* e = std::get_if<ConnectionEnded>(&event->what)) ended = *e;
      if (std::holds_alternative<ConnectionAccepted>(event->what)) connection = event->connection;
      server.handle(*event, endpoint, now);
    }
    while (auto event = server.poll(endpoint, now)) handle(*event);
    if (act) std::exchange(act, nullptr)(server);
    server.flush(endpoint, now);
  }
  std::optional<TimePoint> next_wake() const override { return server.next_wake(); }

  void handle(ServerEvent& event) {
    if (auto* request = std::get_if<RequestReceived>(&event)) {
      Exchange& exchange = seen[request->key.stream];
      exchange.method = request->method;
      exchange.path = request->path;
      exchange.fields = request->fields;
      if (answer) server.respond(request->key, answer(*request));
    } else if (auto* content = std::get_if<RequestContent>(&event)) {
      seen[content->key.stream].content += text_of(content->bytes);
    } else if (auto* trailers = std::get_if<RequestTrailers>(&event)) {
      seen[trailers->key.stream].trailers = trailers->fields;
    } else if (auto* end = std::get_if<RequestEnded>(&event)) {
      seen[end->key.stream].ended = true;
      if (answer_at_end) server.respond(end->key, answer_at_end(seen[end->key.stream]));
    } else if (auto* cancelled = std::get_if<RequestCancelled>(&event)) {
      seen[cancelled->key.stream].cancelled = *cancelled;
    }
  }
  Server server;
  std::function<Response(const RequestReceived&)> answer;
  std::function<Response(const Exchange&)> answer_at_end;
  std::function<void(Server&)> act;
  std::map<StreamId, Exchange> seen;
  ConnectionHandle connection;
  std::optional<ConnectionEnded> ended;
};

inline ConnectionConfig h3_config() {
  ConnectionConfig config;
  config.alpn = {"h3"};
  return config;
}

class World {
 public:
  explicit World(ConnectionConfig server_config = h3_config(), ConnectionConfig client_config = h3_config()) {
    static const PemPair pair = make_throwaway_certificate(KeyAlgorithm::ed25519);
    EndpointConfig server_side;
    server_side.server = std::move(server_config);
    server_side.server_credentials = *server_credentials_from_pem(pair.certificate, pair.key);
    server_side.seed = 2;
    EndpointConfig client_side;
    client_side.seed = 1;
    server_endpoint = std::make_unique<Endpoint>(std::move(server_side));
    client_endpoint = std::make_unique<Endpoint>(std::move(client_side));
    connection = client_endpoint->connect(
        kClient, kServer, "localhost", *client_credentials_from_ca_pem(pair.certificate), client_config, now);
    client.client.emplace(connection);
  }

  // Lets virtual time pass until `done`; false when `limit` passed before.
  bool run_until(const std::function<bool()>& done, Duration limit = seconds{60}) {
    const TimePoint deadline = now + limit;
    for (;;) {
      turn(Side::client);
      turn(Side::server);
      if (done()) return true;
      const auto next = next_time();
      if (!next || *next > deadline) return false;
      now = std::max(now, *next);
      deliver();
      client_endpoint->handle_timeout(now);
      server_endpoint->handle_timeout(now);
    }
  }
  void run_for(Duration time) {
    run_until([] { return false; }, time);
  }

  RequestId get(const std::string& path) { return client.client->request(request(path)); }
  static Request request(const std::string& path, const std::string& method = "GET") {
    Request r;
    r.method = method;
    r.authority = "localhost";
    r.path = path;
    return r;
  }
  bool all_over() const {
    return std::ranges::all_of(client.seen, [](const auto& e) { return e.second.ended || e.second.failed; });
  }

  static inline const Address kClient = *Address::parse("10.0.0.1:1000");
  static inline const Address kServer = *Address::parse("10.0.0.2:443");
  TimePoint now{};
  Duration delay = milliseconds{5};
  std::function<bool()> drops;  // may be null
  std::unique_ptr<Endpoint> client_endpoint;
  std::unique_ptr<Endpoint> server_endpoint;
  ConnectionHandle connection;
  ClientApplication client;
  ServerApplication server;
  // Replaces the client's application, for peers that break rules.
  Application* other_client = nullptr;

 private:
  struct InFlight {
    TimePoint at;
    Side from;
    std::vector<std::uint8_t> bytes;
  };
  void turn(Side side) {
    Endpoint& endpoint = side == Side::client ? *client_endpoint : *server_endpoint;
    Application& application = side == Side::server      ? static_cast<Application&>(server)
                               : other_client != nullptr ? *other_client
                                                         : client;
    const auto send = [&](const Transmit& transmit, Bytes bytes) {
      for (; !bytes.empty(); bytes = bytes.subspan(std::min(bytes.size(), transmit.segment_size))) {
        const Bytes one = bytes.first(std::min(bytes.size(), transmit.segment_size));
        if (!drops || !drops()) wire_.push_back({now + delay, side, {one.begin(), one.end()}});
      }
      return true;
    };
    drain(endpoint, application, buffer_, 44, send, now);
  }
  std::optional<TimePoint> next_time() {
    std::optional<TimePoint> next;
    const auto offer = [&next](std::optional<TimePoint> t) {
      if (t && (!next || *t < *next)) next = t;
    };
    offer(client_endpoint->next_timeout());
    offer(server_endpoint->next_timeout());
    offer(server.next_wake());
    if (!wire_.empty()) offer(wire_.front().at);
    return next;
  }
  void deliver() {
    while (!wire_.empty() && wire_.front().at <= now) {
      InFlight packet = std::move(wire_.front());
      wire_.pop_front();
      const bool to_server = packet.from == Side::client;
      Endpoint& endpoint = to_server ? *server_endpoint : *client_endpoint;
      endpoint.handle_datagram({.bytes = packet.bytes,
                                .local = to_server ? kServer : kClient,
                                .remote = to_server ? kClient : kServer,
                                .ecn = Ecn::not_ect},
                               now);
    }
  }

  std::deque<InFlight> wire_;
  std::vector<std::uint8_t> buffer_ = std::vector<std::uint8_t>(65000);
};

}  // namespace quell::http3::test
