// How does one QUIC connection carry HTTP/3 messages? One nghttp3 connection, fed from readable streams and
// emptied into writable ones. Client and server are small layers on top.
#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "quell/base/time.h"
#include "quell/base/units.h"
#include "quell/connection/endpoint.h"
#include "quell/http3/body.h"
#include "quell/http3/error_code.h"
#include "quell/http3/fields.h"
#include "quell/http3/nghttp3_glue.h"

namespace quell::http3 {

// A header section, pseudo-header fields first; `is_trailers` for one behind the content.
struct SectionReceived {
  StreamId stream = 0;
  Fields fields;
  bool is_trailers = false;
};
// Content, valid until the next call of poll(). Flow control opens when the event after it is polled.
struct ContentReceived {
  StreamId stream = 0;
  Bytes bytes;
  Slice keep;  // an owner of `bytes` where one was needed; mostly none
};
// The peer's message is whole.
struct MessageEnded {
  StreamId stream = 0;
};
// The message will not be whole. Both directions of the stream are closed.
struct StreamFailed {
  StreamId stream = 0;
  ErrorCode code = ErrorCode::no_error;
  bool by_peer = false;
  std::string reason;
};
// The peer takes no requests with this id or larger ones (RFC 9114 §5.2).
struct GoawayReceived {
  std::uint64_t id = 0;
};
using SessionEvent =
    std::variant<SectionReceived, ContentReceived, MessageEnded, StreamFailed, GoawayReceived>;

// Choice: a larger section is no request of a browser; the peer is told by SETTINGS (RFC 9114 §4.2.2).
inline constexpr std::size_t kMaxSectionSize = std::size_t{64} * 1024;
// Choice: what the field's servers offer; costs at most this much memory per connection and direction.
inline constexpr std::size_t kQpackTableCapacity = 4096;
inline constexpr std::size_t kQpackBlockedStreams = 100;

class Session {
 public:
  // The handshake must be complete, ALPN "h3" agreed.
  Session(Side side, ConnectionHandle connection);
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Opens our control and QPACK streams (RFC 9114 §6.2). False while the peer allows fewer than three;
  // nothing is read or may be submitted before. flush() tries again.
  bool start(Endpoint& endpoint, TimePoint now);
  bool is_started() const { return own_streams_.size() == 3; }

  // --- what the transport says
  // Every event of this connection but ConnectionEnded, in order.
  void handle(const Event& event, Endpoint& endpoint, TimePoint now);
  // Reads what can be read, one event at a time; nothing: flush() and wait.
  std::optional<SessionEvent> poll(Endpoint& endpoint, TimePoint now);
  // Writes what there is room for. Submissions wait for it, so that what poll() lent out stays valid.
  void flush(Endpoint& endpoint, TimePoint now);

  // --- what the application says
  // `stream` is a fresh bidirectional stream of ours. False after a GOAWAY. Fields must be valid.
  bool submit_request(StreamId stream, const Fields& pseudo_and_fields, BodyPtr body);
  void submit_response(StreamId stream, const Fields& pseudo_and_fields, BodyPtr body);
  // A source that said `waiting` has something again.
  void resume(StreamId stream);
  // Closes both directions; no further event for this stream. At the next flush.
  void cancel(StreamId stream, ErrorCode code);
  // GOAWAY twice: first "no more", then, a round trip or two later, what was accepted (RFC 9114 §5.2).
  void announce_shutdown();
  void begin_shutdown();

  // Streams that still carry something, be it only bytes that the peer has not acknowledged.
  std::size_t unfinished_streams() const { return streams_.size(); }
  // Those that the application has heard of and that are neither answered in full nor failed.
  std::vector<StreamId> open_streams() const;
  bool is_closed() const { return closed_; }
  // Why we closed the connection; empty when we did not.
  const std::string& close_reason() const { return close_reason_; }
  ConnectionHandle connection() const { return connection_; }

 private:
  // A request stream; control and QPACK streams are nghttp3's alone.
  struct Stream {
    BodyPtr body;
    std::deque<Slice> lent;  // content that nghttp3 points to and has not handed out yet
    Fields section;
    std::size_t section_size = 0;
    bool is_blocked = false;    // nghttp3 keeps bytes until a QPACK insertion arrives (RFC 9204 §2.1.2)
    bool is_known = false;      // the application has heard of it
    bool has_failed = false;    // nothing more is told
    bool fed_end = false;       // nghttp3 has all bytes, which does not mean that it has understood them
    bool received_end = false;  // the message is whole, or its rest is not wanted
    bool sent_end = false;
    bool all_acknowledged = false;
    bool priority_told = false;
    bool closed_in_library = false;
  };
  // Closes what is still open of a stream; waits until nothing is lent out any more.
  struct Abort {
    StreamId stream = 0;
    ErrorCode code = ErrorCode::no_error;
  };
  // What nghttp3 was fed last; it is taken off the stream when all events from it have been polled.
  struct Reading {
    StreamId stream = 0;
    Bytes bytes;
    ByteCount delivered = 0;  // of it, as content
  };

  // session.cc: streams, errors, the end
  void on_reset(StreamId id, ErrorCode code, Endpoint& endpoint, TimePoint now);
  void on_stopped(StreamId id, ErrorCode code);
  // Tells `told` and aborts with `code`.
  void fail_stream(StreamId id, ErrorCode code, std::string reason);
  void fail_stream_by_peer(StreamId id, ErrorCode told, ErrorCode code, std::string reason);
  void fail_connection(Endpoint& endpoint, ErrorCode code, const std::string& reason, TimePoint now);
  void run_aborts(Endpoint& endpoint);
  void abort_now(const Abort& abort, Endpoint& endpoint);
  void settle(StreamId id);
  Stream* find(StreamId id);

  // session_in.cc: bytes to events
  void queue_readable(StreamId id);
  bool read_one(Endpoint& endpoint, TimePoint now);
  void feed(StreamId id, Bytes bytes, bool fin, Endpoint& endpoint, TimePoint now);
  void finish_reading(Endpoint& endpoint);
  void on_section_begin(StreamId id);
  void on_section_field(StreamId id, Field field);
  void on_section_end(StreamId id, bool is_trailers);
  void on_content(StreamId id, Bytes bytes);
  void on_message_end(StreamId id);
  void on_unblocked(StreamId id);

  // session_out.cc: submissions to bytes
  bool write_one(Endpoint& endpoint, TimePoint now);
  bool write_slices(StreamId id, std::span<const nghttp3_vec> pieces, bool fin, Endpoint& endpoint);
  Slice slice_for(Stream* stream, Bytes bytes);
  nghttp3_ssize lend_content(StreamId id, nghttp3_vec& out, std::uint32_t& flags);
  void submit_trailers(StreamId id, const Fields& trailers);
  void tell_priority(StreamId id, Stream& stream, Endpoint& endpoint);

  // session_callbacks.cc: nghttp3 calls these, and they call the above
  struct Callbacks;
  friend struct Callbacks;
  static const nghttp3_callbacks& callbacks();
  static nghttp3_data_reader content_reader();

  Side side_;
  ConnectionHandle connection_;
  ConnectionPtr library_;
  std::vector<StreamId>
      own_streams_;  // control, QPACK encoder, QPACK decoder, as far as they could be opened
  bool closed_ = false;
  std::string close_reason_;
  // By id, so that order never depends on anything else.
  std::map<StreamId, Stream> streams_;
  std::deque<StreamId> readable_;
  std::set<StreamId> is_readable_;
  std::deque<SessionEvent> events_;
  std::vector<Abort> aborts_;
  std::vector<StreamId> touched_;  // may be done, to be settled outside of nghttp3
  std::optional<Reading> reading_;
  Endpoint* writing_to_ = nullptr;  // only during flush()
};

}  // namespace quell::http3
