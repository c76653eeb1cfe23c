// How does a run move bytes without HTTP? The client asks on a stream and the server answers on it; or the
// client sends on it.
#pragma once

#include <algorithm>

#include "quell/lab/load.h"
#include "quell/lab/stream_ends.h"

namespace quell::lab {

// Also the load of scenarios that are about the handshake alone: then no stream is opened.
class StreamLoad final : public Load {
 public:
  StreamLoad(const LoadConfig& config, Call call);

  Application& client() override { return client_; }
  Application& server() override { return server_; }
  std::string alpn() const override { return "quell-lab"; }
  std::optional<TimePoint> completed_at() const override;
  std::optional<TimePoint> confirmed_at() const override { return client_.confirmed_at; }
  std::optional<std::string> failure() const override {
    return client_.failure ? client_.failure : server_.failure;
  }
  bool is_data_waiting(TimePoint now) const override { return sending_end().out.body().is_ready(now); }
  ByteCount written() const override { return sending_end().out.body().taken(); }
  std::optional<ConnectionHandle> client_connection() const override { return client_.connection(); }
  std::optional<ConnectionHandle> server_connection() const override { return server_.connection(); }

 private:
  // What both ends have: one of them sends the body, the other receives it.
  struct End : Application {
    explicit End(const LoadConfig& load) : config(load), out(load), in(load.read_rate) {}
    std::optional<ConnectionHandle> connection() const { return handle; }
    std::optional<TimePoint> next_wake() const override;
    void write(Endpoint& endpoint, TimePoint now);
    // True at the end of the peer's stream.
    bool read(Endpoint& endpoint, TimePoint now);
    void check_all_there(const char* who, TimePoint now);

    LoadConfig config;
    StreamSender out;
    StreamReceiver in;
    std::optional<ConnectionHandle> handle;
    std::optional<StreamId> stream;
    std::optional<TimePoint> completed_at;
    std::optional<std::string> failure;
  };
  struct Client final : End {
    Client(const LoadConfig& load, Call c) : End(load), call(std::move(c)) {}
    void on_wake(Endpoint& endpoint, TimePoint now) override;
    // At first the turn that makes the call.
    std::optional<TimePoint> next_wake() const override;
    void ask(Endpoint& endpoint, TimePoint now);

    Call call;
    std::optional<TimePoint> confirmed_at;
  };
  struct Server final : End {
    using End::End;
    void on_wake(Endpoint& endpoint, TimePoint now) override;
    void hear(TimePoint now);
  };

  const End& sending_end() const {
    if (client_.config.sender == Side::client) return client_;
    return server_;
  }

  Client client_;
  Server server_;
};

}  // namespace quell::lab
