// How do a peer's bytes become sections, content and ends?
#include <algorithm>
#include <utility>

#include "quell/base/check.h"
#include "quell/http3/session.h"

namespace quell::http3 {

void Session::queue_readable(StreamId id) {
  if (const Stream* stream = find(id); stream != nullptr && (stream->is_blocked || stream->fed_end)) return;
  if (is_readable_.insert(id).second) readable_.push_back(id);
}

// Feeds the next run of bytes of one stream; streams take turns. False: nothing can be read.
bool Session::read_one(Endpoint& endpoint, TimePoint now) {
  while (!readable_.empty()) {
    const StreamId id = readable_.front();
    readable_.pop_front();
    const Stream* stream = find(id);
    const auto run = stream != nullptr && (stream->is_blocked || stream->fed_end || stream->has_failed)
                         ? std::unexpected(StreamError::reset)
                         : endpoint.read(connection_, id);
    if (!run || (run->bytes.empty() && !run->fin)) {
      is_readable_.erase(id);
      continue;
    }
    if (run->fin) {
      is_readable_.erase(id);
    } else {
      readable_.push_back(id);
    }
    feed(id, run->bytes, run->fin, endpoint, now);
    return true;
  }
  return false;
}

void Session::feed(StreamId id, Bytes bytes, bool fin, Endpoint& endpoint, TimePoint now) {
  const bool is_request_stream = kind(id) == StreamKind::bidi;
  if (is_request_stream && side_ == Side::server) streams_.try_emplace(id);
  reading_ = Reading{id, bytes, 0};
  const nghttp3_ssize taken = nghttp3_conn_read_stream(library_.get(), static_cast<std::int64_t>(id),
                                                       bytes.data(), bytes.size(), fin ? 1 : 0);
  if (taken >= 0) {
    // What is neither taken nor delivered lies in nghttp3 until QPACK catches up. Reading on would let a peer
    // fill our memory.
    if (Stream* stream = find(id)) {
      stream->fed_end = fin;
      stream->is_blocked = static_cast<ByteCount>(taken) + reading_->delivered < bytes.size();
    }
    return;
  }
  const int error = static_cast<int>(taken);
  if (is_request_stream && is_message_error(error)) {
    fail_stream(id, ErrorCode::message_error, nghttp3_strerror(error));
    return;
  }
  // What had arrived before the fault is not told any more, and nothing stays lent from a connection that
  // closes.
  events_.clear();
  reading_.reset();
  fail_connection(endpoint, to_error_code(error), nghttp3_strerror(error), now);
}

// All events from the last run have been polled, so the bytes may go.
void Session::finish_reading(Endpoint& endpoint) {
  if (reading_) {
    const Reading done = *std::exchange(reading_, std::nullopt);
    endpoint.consume(connection_, done.stream, done.bytes.size());
  }
  for (const StreamId id : std::exchange(touched_, {})) settle(id);
  if (!aborts_.empty()) run_aborts(endpoint);
}

void Session::on_section_begin(StreamId id) {
  on_unblocked(id);
  if (Stream* stream = find(id)) {
    stream->section.clear();
    stream->section_size = 0;
  }
}

void Session::on_section_field(StreamId id, Field field) {
  Stream* stream = find(id);
  if (stream == nullptr || stream->has_failed) return;
  stream->section_size += field.name.size() + field.value.size() + 32;
  if (stream->section_size > kMaxSectionSize) {
    stream->section.clear();
    fail_stream(id, ErrorCode::excessive_load, "the header section is too large");
    return;
  }
  stream->section.push_back(std::move(field));
}

void Session::on_section_end(StreamId id, bool is_trailers) {
  Stream* stream = find(id);
  if (stream == nullptr || stream->has_failed) return;
  stream->is_known = true;
  events_.push_back(SectionReceived{id, std::exchange(stream->section, {}), is_trailers});
}

void Session::on_content(StreamId id, Bytes bytes) {
  const bool is_lent = reading_ && bytes.data() >= reading_->bytes.data() &&
                       bytes.data() + bytes.size() <= reading_->bytes.data() + reading_->bytes.size();
  if (is_lent) reading_->delivered += bytes.size();
  const Stream* stream = find(id);
  if (stream == nullptr || stream->has_failed) return;
  // Content that QPACK held back lies in nghttp3's memory, which goes when we return.
  Slice keep = is_lent ? Slice{} : Slice::copy_of(bytes);
  const Bytes view = is_lent ? bytes : keep.bytes;
  events_.push_back(ContentReceived{id, view, std::move(keep)});
}

void Session::on_message_end(StreamId id) {
  Stream* stream = find(id);
  if (stream == nullptr || stream->has_failed) return;
  stream->received_end = true;
  touched_.push_back(id);
  events_.push_back(MessageEnded{id});
}

void Session::on_unblocked(StreamId id) {
  Stream* stream = find(id);
  if (stream == nullptr || !stream->is_blocked) return;
  stream->is_blocked = false;
  queue_readable(id);
}

}  // namespace quell::http3
