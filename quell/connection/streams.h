// Which streams exist, and what have they to say? (RFC 9000 §2–§4)
#pragma once

#include <array>
#include <cstdint>
#include <expected>
#include <optional>
#include <set>
#include <unordered_map>

#include "quell/base/units.h"
#include "quell/connection/config.h"
#include "quell/connection/endpoint.h"
#include "quell/connection/event_queue.h"
#include "quell/connection/flow_control.h"
#include "quell/connection/frame_sink.h"
#include "quell/connection/recv_stream.h"
#include "quell/connection/scheduler.h"
#include "quell/connection/send_stream.h"
#include "quell/wire/error.h"
#include "quell/wire/frame.h"
#include "quell/wire/transport_parameters.h"

namespace quell {

// Invariant: the totals are the sums over all streams of what each last told (`settle`).
class Streams {
 public:
  Streams(Side side, const ConnectionConfig& config);

  // The peer's transport parameters have arrived (once).
  void set_peer_limits(const TransportParameters& peer, EventQueue& events);

  // --- the application's side; contracts as in Endpoint
  std::expected<StreamId, StreamError> open(StreamKind kind);
  std::expected<void, StreamError> write(StreamId id, Slice slice, bool fin);
  std::size_t write_room(StreamId id, ByteCount cwnd);
  void set_priority(StreamId id, std::uint8_t urgency, bool incremental);
  void reset(StreamId id, std::uint64_t error_code);
  void stop_sending(StreamId id, std::uint64_t error_code);
  std::expected<Endpoint::Readable, StreamError> read(StreamId id);
  void consume(StreamId id, std::size_t count);

  // --- frames in
  Result<void> on_frame(const StreamFrame& frame, EventQueue& events);
  Result<void> on_frame(const ResetStreamFrame& frame, EventQueue& events);
  Result<void> on_frame(const StopSendingFrame& frame, EventQueue& events);
  Result<void> on_frame(const MaxDataFrame& frame, EventQueue& events);
  Result<void> on_frame(const MaxStreamDataFrame& frame, EventQueue& events);
  Result<void> on_frame(const MaxStreamsFrame& frame, EventQueue& events);
  Result<void> on_frame(const DataBlockedFrame& frame, EventQueue& events);
  Result<void> on_frame(const StreamDataBlockedFrame& frame, EventQueue& events);
  Result<void> on_frame(const StreamsBlockedFrame& frame, EventQueue& events);

  // --- frames out
  bool has_control_frames() const;
  // Stream data, retransmissions or lone FINs that flow control lets go.
  bool has_data() const;
  // Limits, resets, stops, blocked.
  void write_control_frames(FrameSink& sink);
  // Fills what is left of the packet.
  void write_data_frames(FrameSink& sink);
  void on_acked(const SentFrame& frame, EventQueue& events);
  void on_lost(const SentFrame& frame);
  // Tells streams that asked for room when there is some again. After every transmit pass.
  void offer_room(ByteCount cwnd, EventQueue& events);

  // Bytes that may go out now within flow control.
  ByteCount ready_bytes() const;
  // Data waits, and only flow control holds it.
  bool is_flow_control_blocked() const { return unsent_total_ > 0 && ready_bytes() == 0; }
  ByteCount bytes_sent() const { return credit_.used(); }
  ByteCount bytes_consumed() const { return window_.consumed(); }

 private:
  struct Stream {
    StreamId id = 0;
    std::optional<SendStream> send;
    std::optional<RecvStream> recv;
    Scheduler::Entry schedule;
    ByteCount told_unsent = 0;
    ByteCount told_ready = 0;
    ByteCount told_lost = 0;
    bool wants_room = false;
    bool readable_told =
        false;  // an event is on its way; the application has not found the end of the data yet
  };
  // What each kind of stream counts, for ours and the peer's.
  struct Kind {
    std::uint64_t next_local = 0;
    std::uint64_t peer_limit = 0;  // how many we may open
    bool limit_was_hit = false;
    std::uint64_t blocked_told_at = 0;  // limit + 1
    std::uint64_t next_remote = 0;
    std::uint64_t window = 0;  // how many the peer may have open at once
    std::uint64_t remote_closed = 0;
    std::uint64_t announced = 0;  // MAX_STREAMS that the peer knows of
    bool announce_again = false;
  };

  Stream* find(StreamId id);
  // Null for a stream that is over. Opens the peer's streams up to `id`. Errors: STREAM_STATE_ERROR,
  // STREAM_LIMIT_ERROR.
  enum class Part : std::uint8_t { send, recv };
  Result<Stream*> find_for_frame(StreamId id, Part part, FrameType type, EventQueue& events);
  Stream& create(StreamId id);
  bool is_local(StreamId id) const { return initiator(id) == side_; }
  Kind& kind_of(StreamId id) { return kinds_[kind(id) == StreamKind::uni ? 1 : 0]; }
  ByteCount initial_send_limit(StreamId id) const;
  // Brings totals and queues up to date with the stream's sending part.
  void settle(Stream& stream);
  void tell_readable(Stream& stream, EventQueue& events);
  void mark_control(StreamId id) { control_.insert(id); }
  // Forgets the stream when both of its parts are done.
  void forget_if_done(Stream& stream);
  Result<void> count_received(ByteCount grown, FrameType type);
  void give_back(ByteCount bytes);
  bool write_one_data_frame(FrameSink& sink, Stream& stream, ByteCount connection_left);
  bool write_stream_control(FrameSink& sink, Stream& stream);
  bool write_connection_control(FrameSink& sink);
  bool wants_max_streams(const Kind& k) const;
  // STREAMS_BLOCKED, once per limit.
  static bool wants_streams_blocked(const Kind& k);

  Side side_;
  ByteCount stream_window_;
  std::array<Kind, 2> kinds_;                     // bidi, uni
  std::unordered_map<StreamId, Stream> streams_;  // looked up only, never walked where order could be seen
  Stream* last_found_ = nullptr;
  SendCredit credit_;
  ReceiveWindow window_;
  bool max_data_again_ = false;
  TransportParameters peer_;
  Scheduler new_data_;
  std::set<StreamId> lost_;     // streams with something to send again
  std::set<StreamId> control_;  // streams that may want a control frame
  std::set<StreamId> room_wanted_;
  ByteCount unsent_total_ = 0;
  ByteCount ready_total_ = 0;
  ByteCount lost_total_ = 0;
};

}  // namespace quell
