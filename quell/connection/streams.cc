#include "quell/connection/streams.h"

#include <algorithm>

#include "quell/base/check.h"

namespace quell {
namespace {

// Choice: what a controller may have in flight is queued twice over, so that a window that doubles within a
// round trip still finds data waiting; the least keeps small windows busy across a wake-up.
constexpr ByteCount kLeastQueue = ByteCount{128} * 1024;
constexpr ByteCount queue_target(ByteCount cwnd) {
  return std::max(2 * cwnd, kLeastQueue);
}

}  // namespace

Streams::Streams(Side side, const ConnectionConfig& config)
    : side_(side), stream_window_(config.max_stream_data), window_(config.max_data) {
  kinds_[0].window = kinds_[0].announced = config.max_streams_bidi;
  kinds_[1].window = kinds_[1].announced = config.max_streams_uni;
}

void Streams::set_peer_limits(const TransportParameters& peer, EventQueue& events) {
  peer_ = peer;
  credit_.raise(peer.initial_max_data);
  kinds_[0].peer_limit = peer.initial_max_streams_bidi;
  kinds_[1].peer_limit = peer.initial_max_streams_uni;
  for (StreamKind kind : {StreamKind::bidi, StreamKind::uni}) {
    Kind& k = kinds_[kind == StreamKind::uni ? 1 : 0];
    // What was hit was our ignorance, not a limit of the peer's.
    if (k.limit_was_hit && k.peer_limit > 0) {
      k.limit_was_hit = false;
      events.push_back(StreamsAvailable{kind});
    }
  }
}

Streams::Stream* Streams::find(StreamId id) {
  if (last_found_ != nullptr && last_found_->id == id) return last_found_;
  const auto it = streams_.find(id);
  if (it == streams_.end()) return nullptr;
  last_found_ = &it->second;
  return last_found_;
}

ByteCount Streams::initial_send_limit(StreamId id) const {
  if (kind(id) == StreamKind::uni) return peer_.initial_max_stream_data_uni;
  // The peer's names are from its own point of view (RFC 9000 §18.2).
  return is_local(id) ? peer_.initial_max_stream_data_bidi_remote : peer_.initial_max_stream_data_bidi_local;
}

Streams::Stream& Streams::create(StreamId id) {
  Stream& stream = streams_[id];
  stream.id = id;
  if (kind(id) == StreamKind::bidi || is_local(id)) stream.send.emplace(initial_send_limit(id));
  if (kind(id) == StreamKind::bidi || !is_local(id)) stream.recv.emplace(stream_window_);
  return stream;
}

std::expected<StreamId, StreamError> Streams::open(StreamKind kind) {
  Kind& k = kinds_[kind == StreamKind::uni ? 1 : 0];
  if (k.next_local >= k.peer_limit) {
    k.limit_was_hit = true;
    return std::unexpected(StreamError::limit);
  }
  const StreamId id = make_stream_id(side_, kind, k.next_local++);
  create(id);
  return id;
}

std::expected<void, StreamError> Streams::write(StreamId id, Slice slice, bool fin) {
  Stream* stream = find(id);
  if (stream == nullptr) return std::unexpected(StreamError::no_stream);
  if (!stream->send) return std::unexpected(StreamError::wrong_direction);
  if (stream->send->is_reset()) return std::unexpected(StreamError::reset);
  if (stream->send->buffer().fin_written()) return std::unexpected(StreamError::finished);
  stream->send->buffer().write(std::move(slice), fin);
  settle(*stream);
  return {};
}

std::size_t Streams::write_room(StreamId id, ByteCount cwnd) {
  Stream* stream = find(id);
  if (stream == nullptr || !stream->send) return 0;
  const SendStream& send = *stream->send;
  if (send.is_reset() || send.buffer().fin_written()) return 0;
  const ByteCount target = queue_target(cwnd);
  if (unsent_total_ < target) return static_cast<std::size_t>(target - unsent_total_);
  // A stream with an empty queue gets a packet's worth, or a full queue of others could starve an urgent one.
  if (send.buffer().unsent() == 0) return kDefaultMaxDatagram;
  stream->wants_room = true;
  room_wanted_.insert(id);
  return 0;
}

void Streams::offer_room(ByteCount cwnd, EventQueue& events) {
  // Choice: room is offered once a quarter of the queue is free, so that bodies are asked for large pieces.
  if (room_wanted_.empty() || unsent_total_ > queue_target(cwnd) * 3 / 4) return;
  for (StreamId id : room_wanted_) {
    if (Stream* stream = find(id)) {
      stream->wants_room = false;
      events.push_back(StreamWritable{id});
    }
  }
  room_wanted_.clear();
}

void Streams::set_priority(StreamId id, std::uint8_t urgency, bool incremental) {
  Stream* stream = find(id);
  if (stream == nullptr) return;
  new_data_.remove(id, stream->schedule);
  stream->schedule.urgency = std::min<std::uint8_t>(urgency, 7);
  stream->schedule.incremental = incremental;
  settle(*stream);
}

void Streams::reset(StreamId id, std::uint64_t error_code) {
  Stream* stream = find(id);
  if (stream == nullptr || !stream->send) return;
  stream->send->reset(error_code);
  settle(*stream);
  mark_control(id);
}

void Streams::stop_sending(StreamId id, std::uint64_t error_code) {
  Stream* stream = find(id);
  if (stream == nullptr || !stream->recv || stream->recv->is_done() || stream->recv->is_reset()) return;
  stream->recv->stop(error_code);
  give_back(stream->recv->discard());
  mark_control(id);
  forget_if_done(*stream);
}

std::expected<Endpoint::Readable, StreamError> Streams::read(StreamId id) {
  Stream* stream = find(id);
  if (stream == nullptr) return std::unexpected(StreamError::no_stream);
  if (!stream->recv) return std::unexpected(StreamError::wrong_direction);
  RecvStream& recv = *stream->recv;
  if (recv.is_reset() || recv.is_discarding()) return std::unexpected(StreamError::reset);
  const Endpoint::Readable readable{recv.readable(), recv.fin_follows_readable()};
  if (readable.bytes.empty() && !readable.fin) stream->readable_told = false;
  return readable;
}

void Streams::consume(StreamId id, std::size_t count) {
  Stream* stream = find(id);
  if (stream == nullptr || !stream->recv) return;
  RecvStream& recv = *stream->recv;
  recv.consume(count);
  window_.consume(count);
  if (recv.wants_window_update()) mark_control(id);
  forget_if_done(*stream);
}

void Streams::settle(Stream& stream) {
  if (!stream.send) return;
  const SendStream& send = *stream.send;
  const ByteCount unsent = send.buffer().unsent();
  const ByteCount ready = send.new_ready();
  const ByteCount lost = send.buffer().lost_bytes();
  unsent_total_ += unsent - stream.told_unsent;
  ready_total_ += ready - stream.told_ready;
  lost_total_ += lost - stream.told_lost;
  stream.told_unsent = unsent;
  stream.told_ready = ready;
  stream.told_lost = lost;

  if (ready > 0 || send.fin_ready()) {
    new_data_.add(stream.id, stream.schedule);
  } else {
    new_data_.remove(stream.id, stream.schedule);
  }
  if (send.buffer().has_lost()) {
    lost_.insert(stream.id);
  } else if (!lost_.empty()) {
    lost_.erase(stream.id);
  }
  if (send.wants_blocked_frame()) mark_control(stream.id);
}

void Streams::forget_if_done(Stream& stream) {
  const bool send_done = !stream.send || stream.send->is_done();
  const bool recv_done = !stream.recv || stream.recv->is_done();
  if (!send_done || !recv_done) return;
  const StreamId id = stream.id;
  new_data_.remove(id, stream.schedule);
  lost_.erase(id);
  control_.erase(id);
  room_wanted_.erase(id);
  if (!is_local(id)) ++kind_of(id).remote_closed;
  last_found_ = nullptr;
  streams_.erase(id);
}

ByteCount Streams::ready_bytes() const {
  return std::min(ready_total_, credit_.left()) + lost_total_;
}

}  // namespace quell
