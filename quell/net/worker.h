// How do one endpoint, its application and its socket share a thread? One turn after the other: wait,
// receive, let time pass, work, send.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <system_error>
#include <vector>

#include "quell/connection/application.h"
#include "quell/connection/endpoint.h"
#include "quell/net/event_loop.h"
#include "quell/net/udp_socket.h"

namespace quell::net {

class Worker {
 public:
  // All three must outlive the worker.
  Worker(Endpoint& endpoint, Application& application, UdpSocket& socket);

  // Blocks until there is something to do, at most until `limit`, and does it. The clock is read once after
  // the wait.
  struct Turn {
    TimePoint now{};
    int signals = 0;        // SIGINT or SIGTERM, when watched
    std::error_code error;  // the socket failed for good
  };
  Turn turn(std::optional<TimePoint> limit = std::nullopt);
  // SIGINT and SIGTERM come out of turn() from now on.
  std::error_code watch_termination();

  struct Counters {
    std::uint64_t turns = 0;
    std::uint64_t waits = 0;
    std::uint64_t messages_received = 0;
    std::uint64_t bursts_sent = 0;
    std::uint64_t bytes_sent = 0;
    std::uint64_t send_errors = 0;
  };
  const Counters& counters() const { return counters_; }

 private:
  std::optional<TimePoint> next_wake(std::optional<TimePoint> limit);
  EventLoop::Wake wait_if_idle(std::optional<TimePoint> limit);
  std::error_code receive(TimePoint now);
  void send(TimePoint now);
  bool send_burst(const Transmit& transmit, Bytes bytes, TimePoint now);
  bool flush_held(TimePoint now);
  void hold(const Transmit& transmit);

  Endpoint& endpoint_;
  Application& application_;
  UdpSocket& socket_;
  EventLoop loop_;
  ReceiveBatch batch_;
  std::vector<std::uint8_t> burst_;
  // A burst that the kernel had no room for, kept in `burst_` until the socket is writable.
  std::optional<Transmit> held_;
  bool more_to_receive_ = false;
  bool more_to_send_ = true;  // what the endpoint was asked for before the first turn
  unsigned busy_turns_ = 0;
  Counters counters_;
};

}  // namespace quell::net
