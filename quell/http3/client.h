// How does one ask? Requests over one connection, as many at once as the server allows; the rest wait here.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <string>
#include <variant>

#include "quell/base/time.h"
#include "quell/connection/endpoint.h"
#include "quell/http3/error_code.h"
#include "quell/http3/message.h"
#include "quell/http3/session.h"

namespace quell::http3 {

// Counts from 0 within one Client.
using RequestId = std::uint64_t;

// The final response's header section; interim ones (1xx) are not told.
struct ResponseStarted {
  RequestId request = 0;
  std::uint32_t status = 0;
  Fields fields;
};
// `bytes` are valid until the next call of poll(), and as long as `keep` lives where it has an owner.
struct ResponseContent {
  RequestId request = 0;
  Bytes bytes;
  Slice keep;
};
struct ResponseTrailers {
  RequestId request = 0;
  Fields fields;
};
// The response is whole: its end was seen, and content-length, if there was one, was met.
struct ResponseEnded {
  RequestId request = 0;
};
// There will be no (more of the) response. What has arrived must not be taken for the whole.
struct RequestFailed {
  RequestId request = 0;
  ErrorCode code = ErrorCode::no_error;
  // The server did not act on it: it may be asked again elsewhere (RFC 9114 §4.1.1, §5.2).
  bool is_retryable = false;
  std::string reason;
};
using ClientEvent =
    std::variant<ResponseStarted, ResponseContent, ResponseTrailers, ResponseEnded, RequestFailed>;

class Client {
 public:
  // `connection` comes from Endpoint::connect with ALPN "h3".
  explicit Client(ConnectionHandle connection) : connection_(connection) {}

  // --- three steps of every wake, in this order
  // Every event of this connection. All of poll() must have been taken before.
  void handle(const Event& event, Endpoint& endpoint, TimePoint now);
  std::optional<ClientEvent> poll(Endpoint& endpoint, TimePoint now);
  void flush(Endpoint& endpoint, TimePoint now);

  // --- at any time
  // Fields must be valid (see fields.h). Nothing is sent before flush().
  RequestId request(Request request);
  // A body that said `waiting` has something again.
  void resume(RequestId request);
  // No further event for it; the server is told (H3_REQUEST_CANCELLED).
  void cancel(RequestId request);
  // Ends the connection with H3_NO_ERROR; what is not answered is lost.
  void close(Endpoint& endpoint, TimePoint now);

  ConnectionHandle connection() const { return connection_; }
  bool is_connected() const { return session_.has_value() && !ended_; }
  // The handshake or the connection is over, and why.
  const std::optional<ConnectionEnded>& ended() const { return ended_; }
  // Asked and not yet answered in full.
  std::size_t open_requests() const { return waiting_.size() + streams_.size(); }

 private:
  struct Waiting {
    RequestId id = 0;
    Request request;
  };
  std::optional<ClientEvent> translate(SessionEvent event);
  std::optional<ClientEvent> translate_section(SectionReceived section, RequestId id);
  void on_goaway(std::uint64_t first_rejected);
  void on_connection_ended(const ConnectionEnded& event);
  void fail_waiting(const std::string& reason);
  void open_waiting(Endpoint& endpoint);
  void forget(StreamId stream);

  ConnectionHandle connection_;
  std::optional<Session> session_;
  std::optional<ConnectionEnded> ended_;
  RequestId next_id_ = 0;
  std::deque<Waiting> waiting_;  // for a handshake or a stream; ours, so not bounded by what a peer does
  std::map<StreamId, RequestId> requests_;
  std::map<RequestId, StreamId> streams_;
  std::deque<ClientEvent> events_;
  bool going_away_ = false;
};

}  // namespace quell::http3
