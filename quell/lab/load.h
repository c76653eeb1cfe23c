// What do the two ends talk about during a run? A client's and a server's application, and what became of
// their work.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "quell/base/address.h"
#include "quell/connection/application.h"
#include "quell/lab/scenario.h"

namespace quell::lab {

// How the client begins.
struct Call {
  Address local;
  Address remote;
  CredentialsPtr credentials;
  ConnectionConfig config;  // `alpn` is set by the load
  TimePoint starts_at{};    // not earlier
};

class Load {
 public:
  virtual ~Load() = default;

  virtual Application& client() = 0;
  virtual Application& server() = 0;
  // What the two ends must agree on.
  virtual std::string alpn() const = 0;

  // The last byte arrived, or the handshake was confirmed where that is all.
  virtual std::optional<TimePoint> completed_at() const = 0;
  virtual std::optional<TimePoint> confirmed_at() const = 0;  // the client's
  // Why the work cannot be completed any more: a connection ended, a body was wrong.
  virtual std::optional<std::string> failure() const = 0;
  // The sender's application holds data that it wants to send now.
  virtual bool is_data_waiting(TimePoint now) const = 0;
  // Bytes of the body that it has handed to its transport.
  virtual ByteCount written() const = 0;
  virtual std::optional<ConnectionHandle> client_connection() const = 0;
  virtual std::optional<ConnectionHandle> server_connection() const = 0;
};

std::unique_ptr<Load> make_load(const LoadConfig& config, Call call);

}  // namespace quell::lab
