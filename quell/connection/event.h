// What does the application hear, and when? Queued events, polled; there are no callbacks.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <variant>

#include "quell/wire/types.h"

namespace quell {

// A name for a connection that stays safe after the connection is gone: the generation makes an old handle
// match nothing.
struct ConnectionHandle {
  std::uint32_t slot = 0;
  std::uint32_t generation = 0;  // zero: no connection
  auto operator<=>(const ConnectionHandle&) const = default;
};

// A peer's Initial made a connection; its handshake goes on.
struct ConnectionAccepted {};
// The handshake is complete: streams may be used (a server may use them now, RFC 9001 §5.7).
struct HandshakeComplete {
  std::string alpn;
};
struct HandshakeConfirmed {};
// Why a connection ended. Its handle is invalid once this has been polled and the endpoint has let it go.
struct ConnectionEnded {
  enum class Cause : std::uint8_t {
    local_close,
    peer_close,
    local_error,  // we found the peer at fault
    idle_timeout,
    handshake_timeout,
    stateless_reset,
    version_mismatch,  // no version in common (client)
    unreachable,       // the network refused our first datagrams (ECONNREFUSED)
  };
  Cause cause = Cause::local_close;
  bool is_application_code = false;
  std::uint64_t error_code = 0;
  std::string reason;
};
// The peer opened a stream; it can be read (and written, if bidirectional).
struct StreamOpened {
  StreamId stream = 0;
};
// New contiguous data or the end of the stream can be read. Level-triggered once: sent again only after a
// read found less than it wanted.
struct StreamReadable {
  StreamId stream = 0;
};
// A write that was refused, or a fresh limit, has room again.
struct StreamWritable {
  StreamId stream = 0;
};
// The peer reset its sending side.
struct StreamReset {
  StreamId stream = 0;
  std::uint64_t error_code = 0;
};
// The peer asks us to stop sending; the transport has answered with RESET_STREAM (RFC 9000 §3.5).
struct StreamStopped {
  StreamId stream = 0;
  std::uint64_t error_code = 0;
};
// All that we sent on the stream, its end included, was acknowledged.
struct StreamFinished {
  StreamId stream = 0;
};
// The peer's limit for our streams of this kind was raised.
struct StreamsAvailable {
  StreamKind kind = StreamKind::bidi;
};

struct Event {
  ConnectionHandle connection;
  std::variant<ConnectionAccepted, HandshakeComplete, HandshakeConfirmed, ConnectionEnded, StreamOpened,
               StreamReadable, StreamWritable, StreamReset, StreamStopped, StreamFinished, StreamsAvailable>
      what;
};

}  // namespace quell
