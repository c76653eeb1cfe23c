// Which stream frames go out, and what happens when they arrive or are lost? (RFC 9000 §13.3)
#include <algorithm>

#include "quell/connection/streams.h"

namespace quell {

bool Streams::wants_max_streams(const Kind& k) const {
  if (k.announce_again) return true;
  // Choice: a fresh limit goes out once an eighth of the streams has ended.
  const std::uint64_t next = k.remote_closed + k.window;
  return next > k.announced && next - k.announced >= std::max<std::uint64_t>(1, k.window / 8);
}

bool Streams::wants_streams_blocked(const Kind& k) {
  return k.limit_was_hit && k.blocked_told_at != k.peer_limit + 1;
}

bool Streams::has_control_frames() const {
  const bool blocked = unsent_total_ > 0 && credit_.wants_blocked_frame();
  return !control_.empty() || max_data_again_ || window_.wants_update() || blocked ||
         std::ranges::any_of(
             kinds_, [this](const Kind& k) { return wants_max_streams(k) || wants_streams_blocked(k); });
}

bool Streams::has_data() const {
  if (!lost_.empty()) return true;
  const auto next = new_data_.next();
  if (!next) return false;
  if (credit_.left() > 0) return true;
  // Without credit only a lone FIN may pass.
  const auto it = streams_.find(*next);
  return it->second.send->fin_ready();
}

bool Streams::write_connection_control(FrameSink& sink) {
  if (max_data_again_ || window_.wants_update()) {
    const ByteCount limit = window_.next_limit();
    if (!sink.put(MaxDataFrame{limit}, {.type = FrameType::max_data, .offset = limit})) return false;
    window_.slide();
    max_data_again_ = false;
  }
  for (StreamKind kind : {StreamKind::bidi, StreamKind::uni}) {
    Kind& k = kinds_[kind == StreamKind::uni ? 1 : 0];
    if (wants_max_streams(k)) {
      const std::uint64_t limit = k.remote_closed + k.window;
      const FrameType type =
          kind == StreamKind::uni ? FrameType::max_streams_uni : FrameType::max_streams_bidi;
      if (!sink.put(MaxStreamsFrame{kind, limit}, {.type = type, .offset = limit})) return false;
      k.announced = limit;
      k.announce_again = false;
    }
    if (wants_streams_blocked(k)) {
      const FrameType type =
          kind == StreamKind::uni ? FrameType::streams_blocked_uni : FrameType::streams_blocked_bidi;
      if (!sink.put(StreamsBlockedFrame{kind, k.peer_limit}, {.type = type, .offset = k.peer_limit}))
        return false;
      k.blocked_told_at = k.peer_limit + 1;
    }
  }
  if (unsent_total_ > 0 && credit_.wants_blocked_frame()) {
    const ByteCount limit = credit_.limit();
    if (!sink.put(DataBlockedFrame{limit}, {.type = FrameType::data_blocked, .offset = limit})) return false;
    credit_.blocked_frame_sent();
  }
  return true;
}

bool Streams::write_stream_control(FrameSink& sink, Stream& stream) {
  const StreamId id = stream.id;
  if (stream.send) {
    SendStream& send = *stream.send;
    if (send.wants_reset_frame()) {
      const ResetStreamFrame frame{id, send.reset_code(), send.final_size()};
      if (!sink.put(frame, {.type = FrameType::reset_stream, .id = id})) return false;
      send.reset_frame_sent();
    }
    if (send.wants_blocked_frame()) {
      const StreamDataBlockedFrame frame{id, send.limit()};
      if (!sink.put(frame, {.type = FrameType::stream_data_blocked, .id = id, .offset = send.limit()}))
        return false;
      send.blocked_frame_sent();
    }
  }
  if (stream.recv) {
    RecvStream& recv = *stream.recv;
    if (recv.wants_stop_frame()) {
      if (!sink.put(StopSendingFrame{id, recv.stop_code()}, {.type = FrameType::stop_sending, .id = id}))
        return false;
      recv.stop_frame_sent();
    }
    if (recv.wants_window_update()) {
      const ByteCount limit = recv.window().next_limit();
      const MaxStreamDataFrame frame{id, limit};
      if (!sink.put(frame, {.type = FrameType::max_stream_data, .id = id, .offset = limit})) return false;
      recv.window().slide();
      recv.window_update_sent();
    }
  }
  return true;
}

void Streams::write_control_frames(FrameSink& sink) {
  if (!write_connection_control(sink)) return;
  while (!control_.empty()) {
    Stream* stream = find(*control_.begin());
    if (stream != nullptr && !write_stream_control(sink, *stream)) return;
    control_.erase(control_.begin());
  }
}

// One STREAM frame; false when nothing (more) of this stream fits or may go.
bool Streams::write_one_data_frame(FrameSink& sink, Stream& stream, ByteCount connection_left) {
  SendBuffer& buffer = stream.send->buffer();
  const ByteCount next_offset = buffer.has_lost() ? 0 : buffer.next_unsent();
  // With a length field of two bytes a frame may be followed by others; a frame that fills the packet drops
  // the field.
  constexpr std::size_t kLengthField = 2;
  const std::size_t fixed =
      stream_header_size(stream.id, buffer.has_lost() ? buffer.written_end() : next_offset, 0, false);
  if (sink.room() < fixed + kLengthField) return false;
  const std::size_t most = sink.room() - fixed;
  const ByteCount limit = std::min(stream.send->limit(), buffer.next_unsent() + connection_left);
  auto chunk = buffer.peek(most, limit);
  if (!chunk) return false;
  const bool with_length = fixed + kLengthField + chunk->size < sink.room();
  if (!with_length) {
    // The header may be a byte shorter than was reserved: the frame must still end exactly with the packet.
    const std::size_t header = stream_header_size(stream.id, chunk->offset, 0, false);
    if (header + chunk->size < sink.room()) {
      const auto longer = buffer.peek(sink.room() - header, limit);
      if (longer && longer->offset == chunk->offset) chunk = longer;
    }
    if (header + chunk->size < sink.room()) {
      sink.writer().fill(0, sink.room() - header - chunk->size);  // PADDING in front
    }
  }
  Writer& out = sink.writer();
  write_stream_header(out, stream.id, chunk->offset, chunk->size, chunk->fin, with_length);
  buffer.copy(chunk->offset, out.rest().first(chunk->size));
  out.advance(chunk->size);
  sink.note({.type = FrameType::stream,
             .fin = chunk->fin,
             .length = static_cast<std::uint32_t>(chunk->size),
             .id = stream.id,
             .offset = chunk->offset});
  const ByteCount unsent_before = buffer.unsent();
  buffer.on_sent(*chunk);
  credit_.spend(unsent_before - buffer.unsent());
  return true;
}

void Streams::write_data_frames(FrameSink& sink) {
  while (!lost_.empty()) {
    Stream* stream = find(*lost_.begin());
    if (stream == nullptr || !write_one_data_frame(sink, *stream, credit_.left())) return;
    settle(*stream);
  }
  while (const auto next = new_data_.next()) {
    Stream* stream = find(*next);
    if (!write_one_data_frame(sink, *stream, credit_.left())) return;
    settle(*stream);
    new_data_.served(stream->id, stream->schedule);
  }
}

void Streams::on_acked(const SentFrame& frame, EventQueue& events) {
  Stream* stream = find(frame.id);
  if (stream == nullptr || !stream->send) return;
  SendStream& send = *stream->send;
  if (frame.type == FrameType::reset_stream) {
    send.reset_frame_acked();
    forget_if_done(*stream);
    return;
  }
  if (frame.type != FrameType::stream || send.is_reset()) return;
  const bool had_lost = send.buffer().has_lost();
  send.buffer().on_acked(frame.offset, frame.length, frame.fin);
  if (had_lost) settle(*stream);
  if (send.buffer().is_finished()) {
    events.push_back(StreamFinished{frame.id});
    forget_if_done(*stream);
  }
}

void Streams::on_lost(const SentFrame& frame) {
  switch (frame.type) {
    case FrameType::max_data:
      max_data_again_ |= frame.offset == window_.limit();
      return;
    case FrameType::max_streams_bidi:
    case FrameType::max_streams_uni: {
      Kind& k = kinds_[frame.type == FrameType::max_streams_uni ? 1 : 0];
      k.announce_again |= frame.offset == k.announced;
      return;
    }
    case FrameType::data_blocked:
      if (frame.offset == credit_.limit()) credit_.blocked_frame_lost();
      return;
    case FrameType::streams_blocked_bidi:
    case FrameType::streams_blocked_uni: {
      Kind& k = kinds_[frame.type == FrameType::streams_blocked_uni ? 1 : 0];
      if (frame.offset == k.peer_limit) k.blocked_told_at = 0;
      return;
    }
    default:
      break;
  }
  Stream* stream = find(frame.id);
  if (stream == nullptr) return;
  switch (frame.type) {
    case FrameType::stream:
      if (stream->send && !stream->send->is_reset()) {
        stream->send->buffer().on_lost(frame.offset, frame.length, frame.fin);
        settle(*stream);
      }
      return;
    case FrameType::reset_stream:
      stream->send->reset_frame_lost();
      break;
    case FrameType::stream_data_blocked:
      if (frame.offset == stream->send->limit()) stream->send->blocked_frame_lost();
      break;
    case FrameType::stop_sending:
      stream->recv->stop_frame_lost();
      break;
    case FrameType::max_stream_data:
      if (frame.offset == stream->recv->window().limit()) stream->recv->window_update_lost();
      break;
    default:
      return;
  }
  mark_control(frame.id);
}

}  // namespace quell
