// How does a run move bytes as the web does? One GET over HTTP/3.
#pragma once

#include <memory>

#include "quell/http3/client.h"
#include "quell/http3/server.h"
#include "quell/lab/body_source.h"
#include "quell/lab/load.h"

namespace quell::lab {

class Http3Load final : public Load {
 public:
  Http3Load(const LoadConfig& config, Call call);

  Application& client() override { return client_; }
  Application& server() override { return server_; }
  std::string alpn() const override { return "h3"; }
  std::optional<TimePoint> completed_at() const override {
    return client_.completed_at ? client_.completed_at : server_.completed_at;
  }
  std::optional<TimePoint> confirmed_at() const override { return client_.confirmed_at; }
  std::optional<std::string> failure() const override {
    return client_.failure ? client_.failure : server_.failure;
  }
  bool is_data_waiting(TimePoint now) const override { return server_.source->is_ready(now); }
  ByteCount written() const override { return server_.source->taken(); }
  std::optional<ConnectionHandle> client_connection() const override { return client_.connection; }
  std::optional<ConnectionHandle> server_connection() const override { return server_.connection; }

 private:
  struct Client final : Application {
    Client(const LoadConfig& load, Call c) : config(load), call(std::move(c)) {}
    void on_wake(Endpoint& endpoint, TimePoint now) override;
    std::optional<TimePoint> next_wake() const override;
    void begin(Endpoint& endpoint, TimePoint now);
    void ask(Endpoint& endpoint, TimePoint now);
    void hear(const http3::ClientEvent& event, TimePoint now);

    LoadConfig config;
    Call call;
    std::optional<http3::Client> http;
    std::optional<ConnectionHandle> connection;
    std::optional<TimePoint> confirmed_at;
    std::optional<TimePoint> completed_at;
    std::optional<std::string> failure;
    ByteCount received = 0;
    bool has_asked = false;
  };
  struct Server final : Application {
    explicit Server(const LoadConfig& load) : source(std::make_shared<BodySource>(load)) {
      if (load.bytes > 0) bytes = load.bytes;
    }
    void on_wake(Endpoint& endpoint, TimePoint now) override;
    std::optional<TimePoint> next_wake() const override;
    void answer(const http3::RequestReceived& request, TimePoint now);

    // Shared with the body that http3 owns.
    std::shared_ptr<BodySource> source;
    std::shared_ptr<TimePoint> clock = std::make_shared<TimePoint>();
    std::shared_ptr<bool> is_waiting = std::make_shared<bool>(false);
    std::optional<ByteCount> bytes;
    http3::Server http;
    std::optional<http3::RequestKey> request;
    std::optional<ConnectionHandle> connection;
    std::optional<TimePoint> completed_at;
    std::optional<std::string> failure;
  };

  Client client_;
  Server server_;
};

}  // namespace quell::lab
