// How does one answer? The requests of all connections of an endpoint, and how to stop without breaking any.
#pragma once

#include <compare>
#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <variant>

#include "quell/base/time.h"
#include "quell/connection/endpoint.h"
#include "quell/http3/error_code.h"
#include "quell/http3/message.h"
#include "quell/http3/session.h"

namespace quell::http3 {

struct RequestKey {
  ConnectionHandle connection;
  StreamId stream = 0;
  auto operator<=>(const RequestKey&) const = default;
};

// A request's header section. It may be answered at once, without its content.
struct RequestReceived {
  RequestKey key;
  std::string method;
  std::string scheme;
  std::string authority;  // from Host when the pseudo-header field is absent
  std::string path;       // with its query
  Fields fields;
};
// `bytes` are valid until the next call of poll(), and as long as `keep` lives where it has an owner.
struct RequestContent {
  RequestKey key;
  Bytes bytes;
  Slice keep;
};
struct RequestTrailers {
  RequestKey key;
  Fields fields;
};
struct RequestEnded {
  RequestKey key;
};
// The client does not want the answer any more, or broke the rules. Do not answer.
struct RequestCancelled {
  RequestKey key;
  ErrorCode code = ErrorCode::no_error;
  std::string reason;
};
using ServerEvent =
    std::variant<RequestReceived, RequestContent, RequestTrailers, RequestEnded, RequestCancelled>;

class Server {
 public:
  // --- three steps of every wake, in this order
  // Every event of the endpoint. All of poll() must have been taken before.
  void handle(const Event& event, Endpoint& endpoint, TimePoint now);
  std::optional<ServerEvent> poll(Endpoint& endpoint, TimePoint now);
  void flush(Endpoint& endpoint, TimePoint now);
  // When flush() wants to be called though nothing arrives.
  std::optional<TimePoint> next_wake() const;

  // --- at any time
  // Content-length is added when the body knows its size. Fields must be valid. Ignored when the request is
  // over.
  void respond(RequestKey key, Response response);
  // A body that said `waiting` has something again.
  void resume(RequestKey key);
  void cancel(RequestKey key, ErrorCode code);
  // Graceful: no new requests, what is running is finished, then each connection closes with H3_NO_ERROR.
  void shut_down() { shutting_down_ = true; }
  bool is_shutting_down() const { return shutting_down_; }

  std::size_t connection_count() const { return connections_.size(); }
  // Requests of all connections that still carry something, be it only bytes that are not acknowledged.
  std::size_t unfinished_requests() const;

 private:
  struct Connection {
    explicit Connection(ConnectionHandle handle) : session(Side::server, handle) {}
    Session session;
    std::optional<TimePoint> announced_until;  // shutdown: when the second GOAWAY is due
    bool shutdown_begun = false;
  };
  Connection* find(ConnectionHandle handle);
  void on_connection_ended(ConnectionHandle handle, const ConnectionEnded& event);
  std::optional<ServerEvent> translate(ConnectionHandle handle, SessionEvent event);
  ServerEvent translate_request(RequestKey key, Fields fields);
  void drive_shutdown(Connection& connection, Endpoint& endpoint, TimePoint now);

  std::map<ConnectionHandle, std::unique_ptr<Connection>> connections_;
  // Those with something to poll or to write, so that idle connections cost nothing.
  std::set<ConnectionHandle> to_poll_;
  std::set<ConnectionHandle> to_flush_;
  std::deque<ServerEvent> events_;
  bool shutting_down_ = false;
};

}  // namespace quell::http3
