// What do a peer's stream frames change? (RFC 9000 §19.4, §19.5, §19.8–§19.14)
#include <algorithm>

#include "quell/connection/streams.h"

namespace quell {
namespace {

constexpr std::uint64_t code(FrameType type) {
  return static_cast<std::uint64_t>(type);
}

}  // namespace

Result<Streams::Stream*> Streams::find_for_frame(StreamId id, Part part, FrameType type, EventQueue& events) {
  if (kind(id) == StreamKind::uni && is_local(id) != (part == Part::send)) {
    return fail(TransportError::stream_state_error, "frame for the wrong direction of a stream", code(type));
  }
  if (Stream* stream = find(id)) return stream;
  Kind& k = kind_of(id);
  if (is_local(id)) {
    if (ordinal(id) >= k.next_local) {
      return fail(TransportError::stream_state_error, "frame for a stream that we have not opened",
                  code(type));
    }
    return nullptr;
  }
  if (ordinal(id) < k.next_remote) return nullptr;
  if (ordinal(id) >= k.announced) {
    return fail(TransportError::stream_limit_error, "more streams than we allowed", code(type));
  }
  // A stream opens all lower-numbered ones of its kind (§3.2).
  for (; k.next_remote <= ordinal(id); ++k.next_remote) {
    const StreamId opened = make_stream_id(other(side_), kind(id), k.next_remote);
    create(opened);
    events.push_back(StreamOpened{opened});
  }
  return find(id);
}

Result<void> Streams::count_received(ByteCount grown, FrameType type) {
  if (!window_.receive_up_to(window_.highest() + grown)) {
    return fail(TransportError::flow_control_error, "more data than the connection's limit allows",
                code(type));
  }
  return {};
}

void Streams::give_back(ByteCount bytes) {
  window_.consume(bytes);
}

void Streams::tell_readable(Stream& stream, EventQueue& events) {
  if (stream.readable_told || !stream.recv->has_news()) return;
  stream.readable_told = true;
  events.push_back(StreamReadable{stream.id});
}

Result<void> Streams::on_frame(const StreamFrame& frame, EventQueue& events) {
  const auto found = find_for_frame(frame.stream, Part::recv, FrameType::stream, events);
  if (!found) return std::unexpected(found.error());
  if (*found == nullptr) return {};
  Stream& stream = **found;
  RecvStream& recv = *stream.recv;
  const auto grown = recv.on_stream_frame(frame);
  if (!grown) return std::unexpected(grown.error());
  if (auto counted = count_received(*grown, FrameType::stream); !counted) return counted;
  if (recv.is_discarding() || recv.is_reset()) {
    give_back(*grown);
    forget_if_done(stream);
    return {};
  }
  tell_readable(stream, events);
  return {};
}

Result<void> Streams::on_frame(const ResetStreamFrame& frame, EventQueue& events) {
  const auto found = find_for_frame(frame.stream, Part::recv, FrameType::reset_stream, events);
  if (!found) return std::unexpected(found.error());
  if (*found == nullptr) return {};
  Stream& stream = **found;
  RecvStream& recv = *stream.recv;
  const bool was_reset = recv.is_reset();
  const auto grown = recv.on_reset(frame);
  if (!grown) return std::unexpected(grown.error());
  if (auto counted = count_received(*grown, FrameType::reset_stream); !counted) return counted;
  if (recv.is_reset() && !was_reset) {
    give_back(recv.unconsumed());
    recv.consume_rest();
    events.push_back(StreamReset{frame.stream, frame.error_code});
    recv.acknowledge_end();
  } else if (recv.is_discarding()) {
    give_back(*grown);
    recv.acknowledge_end();
  }
  forget_if_done(stream);
  return {};
}

Result<void> Streams::on_frame(const StopSendingFrame& frame, EventQueue& events) {
  const auto found = find_for_frame(frame.stream, Part::send, FrameType::stop_sending, events);
  if (!found) return std::unexpected(found.error());
  if (*found == nullptr) return {};
  Stream& stream = **found;
  if (stream.send->is_done() || stream.send->is_reset()) return {};
  reset(frame.stream, frame.error_code);  // §3.5: the same code goes back
  events.push_back(StreamStopped{frame.stream, frame.error_code});
  return {};
}

Result<void> Streams::on_frame(const MaxDataFrame& frame, EventQueue& /*events*/) {
  credit_.raise(frame.maximum);
  return {};
}

Result<void> Streams::on_frame(const MaxStreamDataFrame& frame, EventQueue& events) {
  const auto found = find_for_frame(frame.stream, Part::send, FrameType::max_stream_data, events);
  if (!found) return std::unexpected(found.error());
  if (*found == nullptr) return {};
  if ((*found)->send->raise_limit(frame.maximum)) settle(**found);
  return {};
}

Result<void> Streams::on_frame(const MaxStreamsFrame& frame, EventQueue& events) {
  Kind& k = kinds_[frame.kind == StreamKind::uni ? 1 : 0];
  if (frame.maximum <= k.peer_limit) return {};
  k.peer_limit = frame.maximum;
  if (k.limit_was_hit) {
    k.limit_was_hit = false;
    events.push_back(StreamsAvailable{frame.kind});
  }
  return {};
}

// The peer's *_BLOCKED frames only tell; our windows slide by consumption (§4.2).
Result<void> Streams::on_frame(const DataBlockedFrame& /*frame*/, EventQueue& /*events*/) {
  return {};
}

Result<void> Streams::on_frame(const StreamDataBlockedFrame& frame, EventQueue& events) {
  const auto found = find_for_frame(frame.stream, Part::recv, FrameType::stream_data_blocked, events);
  if (!found) return std::unexpected(found.error());
  return {};
}

Result<void> Streams::on_frame(const StreamsBlockedFrame& /*frame*/, EventQueue& /*events*/) {
  return {};
}

}  // namespace quell
