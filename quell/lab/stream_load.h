// How does a run move bytes without HTTP? The client asks on a stream, the server answers on it.
#pragma once

#include "quell/lab/body_source.h"
#include "quell/lab/load.h"

namespace quell::lab {

// Also the load of scenarios that are about the handshake alone: then no stream is opened.
class StreamLoad final : public Load {
 public:
  StreamLoad(const LoadConfig& config, Call call);

  Application& client() override { return client_; }
  Application& server() override { return server_; }
  std::string alpn() const override { return "quell-lab"; }
  std::optional<TimePoint> completed_at() const override { return client_.completed_at; }
  std::optional<TimePoint> confirmed_at() const override { return client_.confirmed_at; }
  std::optional<std::string> failure() const override {
    return client_.failure ? client_.failure : server_.failure;
  }
  bool is_data_waiting(TimePoint now) const override { return server_.body.is_ready(now); }
  std::optional<ConnectionHandle> client_connection() const override { return client_.connection; }
  std::optional<ConnectionHandle> server_connection() const override { return server_.connection; }

 private:
  struct Client final : Application {
    Client(const LoadConfig& load, Call c) : config(load), call(std::move(c)) {}
    void on_wake(Endpoint& endpoint, TimePoint now) override;
    // The first turn, which makes the call.
    std::optional<TimePoint> next_wake() const override;
    void ask(Endpoint& endpoint);
    void read(Endpoint& endpoint, StreamId stream, TimePoint now);

    LoadConfig config;
    Call call;
    std::optional<ConnectionHandle> connection;
    std::optional<TimePoint> confirmed_at;
    std::optional<TimePoint> completed_at;
    std::optional<std::string> failure;
    ByteCount received = 0;
  };
  struct Server final : Application {
    explicit Server(const LoadConfig& load) : body(load) {}
    void on_wake(Endpoint& endpoint, TimePoint now) override;
    std::optional<TimePoint> next_wake() const override;
    void read(Endpoint& endpoint, StreamId stream, TimePoint now);
    void write(Endpoint& endpoint, TimePoint now);

    BodySource body;
    std::optional<ConnectionHandle> connection;
    std::optional<StreamId> stream;
    std::optional<std::string> failure;
    TimePoint last_wake{};
  };

  Client client_;
  Server server_;
};

}  // namespace quell::lab
