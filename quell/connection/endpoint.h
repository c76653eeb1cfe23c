// How does the world drive QUIC? Five verbs: handle_datagram, handle_timeout, poll_transmit, next_timeout,
// poll_event.
#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>

#include "quell/base/address.h"
#include "quell/base/time.h"
#include "quell/base/units.h"
#include "quell/connection/config.h"
#include "quell/connection/event.h"
#include "quell/connection/slice.h"
#include "quell/connection/stats.h"
#include "quell/wire/types.h"

namespace quell {

// One UDP datagram, or a GRO batch cut by the caller: one call per datagram. The buffer is decrypted in
// place.
struct Datagram {
  MutableBytes bytes;
  Address local;
  Address remote;
  Ecn ecn = Ecn::not_ect;
};

// A burst for one peer: `size` bytes in the caller's buffer, to be sent as datagrams of `segment_size` (the
// last may be shorter): what UDP_SEGMENT takes.
struct Transmit {
  Address local;  // none for a client's first packets
  Address remote;
  std::size_t size = 0;
  std::size_t segment_size = 0;
  Ecn ecn = Ecn::not_ect;
};

// Why a write or an open could not be done; none of these ends the connection.
enum class StreamError : std::uint8_t {
  no_connection,    // the handle is stale or the connection is closing
  no_stream,        // never opened, or done and forgotten
  wrong_direction,  // reading our own unidirectional stream, writing the peer's
  limit,            // the peer allows no more streams of this kind now
  finished,         // written after its end
  reset,            // reset by us or by the peer
};

// Client and server in one: opens connections, accepts those of peers, and finds the right one for every
// datagram. Not thread-safe; one endpoint per worker. Nothing in it calls back; `now` must never run
// backwards.
class Endpoint {
 public:
  explicit Endpoint(EndpointConfig config);
  ~Endpoint();
  Endpoint(const Endpoint&) = delete;
  Endpoint& operator=(const Endpoint&) = delete;

  // --- the five verbs
  void handle_datagram(const Datagram& datagram, TimePoint now);
  void handle_timeout(TimePoint now);
  // Fills `buffer` (at least one datagram; 64 KiB lets a burst fill UDP_SEGMENT) with the next burst. At most
  // `max_segments` datagrams. Nothing: nothing may be sent now.
  std::optional<Transmit> poll_transmit(MutableBytes buffer, std::size_t max_segments, TimePoint now);
  // When handle_timeout wants to be called; nothing: never.
  std::optional<TimePoint> next_timeout();
  std::optional<Event> poll_event();

  // --- connections
  // Begins a handshake; its result comes as HandshakeComplete or ConnectionEnded. `server_name` goes into SNI
  // and is checked against the certificate. `config.alpn` must not be empty.
  ConnectionHandle connect(const Address& local, const Address& remote, const std::string& server_name,
                           CredentialsPtr credentials, const ConnectionConfig& config, TimePoint now);
  // Sends CONNECTION_CLOSE with an application error code (RFC 9000 §10.2); data that is not sent yet is
  // dropped.
  void close(ConnectionHandle connection, std::uint64_t error_code, const std::string& reason, TimePoint now);
  // The network says that the peer cannot be reached (ECONNREFUSED): ends handshakes to it at once.
  void peer_unreachable(const Address& remote, TimePoint now);
  std::size_t connection_count() const;
  bool is_alive(ConnectionHandle connection) const;
  std::optional<ConnectionStats> stats(ConnectionHandle connection, TimePoint now) const;
  Address remote_address(ConnectionHandle connection) const;
  std::string server_name(ConnectionHandle connection) const;
  // Begins a key update when the last one is confirmed (RFC 9001 §6); false when it may not yet.
  bool update_keys(ConnectionHandle connection, TimePoint now);

  // --- streams
  std::expected<StreamId, StreamError> open_stream(ConnectionHandle connection, StreamKind kind);
  // Queues the slice and, with `fin`, the end of the stream. All of it is taken: how much to queue is the
  // caller's choice, by write_room(). An empty slice with `fin` ends the stream.
  std::expected<void, StreamError> write(ConnectionHandle connection, StreamId stream, Slice slice, bool fin);
  // Bytes that are worth queueing now: as much as keeps the window full (twice cwnd) less what is queued
  // unsent; zero for streams that cannot be written. A StreamWritable follows when it becomes positive again
  // after this gave zero.
  std::size_t write_room(ConnectionHandle connection, StreamId stream);
  // Larger urgency is sent later (RFC 9218's 0 to 7; 3 at first); equal urgencies share by rounds, or in
  // order of stream id when not `incremental`.
  void set_priority(ConnectionHandle connection, StreamId stream, std::uint8_t urgency, bool incremental);
  void reset_stream(ConnectionHandle connection, StreamId stream, std::uint64_t error_code);
  void stop_sending(ConnectionHandle connection, StreamId stream, std::uint64_t error_code);

  struct Readable {
    Bytes bytes;       // the next contiguous bytes, valid until the next call on this endpoint
    bool fin = false;  // the stream ends right behind `bytes`
  };
  // What can be read without copying; may be less than all that has arrived. Empty and no fin: nothing now, a
  // StreamReadable will follow.
  std::expected<Readable, StreamError> read(ConnectionHandle connection, StreamId stream);
  // Takes `count` bytes off; opens the flow-control window. After a consumed fin the stream's receiving side
  // is forgotten.
  void consume(ConnectionHandle connection, StreamId stream, std::size_t count);

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace quell
