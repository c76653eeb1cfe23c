// How do messages become a peer's bytes, without copying their content?
#include <algorithm>
#include <array>
#include <utility>

#include "quell/base/check.h"
#include "quell/http3/session.h"

namespace quell::http3 {
namespace {

// Choice: below this, a piece costs more in framing than the room that it respects is worth.
constexpr std::size_t kMinPiece = std::size_t{16} * 1024;
// Enough for nghttp3's frame headers around the pieces of one call.
constexpr std::size_t kMaxVectors = 16;

std::int64_t library_id(StreamId id) {
  return static_cast<std::int64_t>(id);
}

}  // namespace

bool Session::submit_request(StreamId id, const Fields& fields, BodyPtr body) {
  if (closed_) return false;
  const auto values = to_name_values(fields);
  const nghttp3_data_reader reader = content_reader();
  const bool has_body = body != nullptr;
  const int error = nghttp3_conn_submit_request(library_.get(), library_id(id), values.data(), values.size(),
                                                has_body ? &reader : nullptr, nullptr);
  if (error == NGHTTP3_ERR_CONN_CLOSING) return false;
  QUELL_CHECK(error == 0);
  Stream& stream = streams_[id];
  stream.body = std::move(body);
  stream.is_known = true;
  return true;
}

void Session::submit_response(StreamId id, const Fields& fields, BodyPtr body) {
  Stream* stream = find(id);
  if (closed_ || stream == nullptr || stream->has_failed || stream->sent_end) return;
  const auto values = to_name_values(fields);
  const nghttp3_data_reader reader = content_reader();
  stream->body = std::move(body);
  const int error = nghttp3_conn_submit_response(library_.get(), library_id(id), values.data(), values.size(),
                                                 stream->body != nullptr ? &reader : nullptr);
  QUELL_CHECK(error == 0);
}

void Session::submit_trailers(StreamId id, const Fields& trailers) {
  const auto values = to_name_values(trailers);
  QUELL_CHECK(nghttp3_conn_submit_trailers(library_.get(), library_id(id), values.data(), values.size()) ==
              0);
}

void Session::resume(StreamId id) {
  if (!closed_) nghttp3_conn_resume_stream(library_.get(), library_id(id));
}

// Hands what nghttp3 wants to send next to the transport, which takes all of it and keeps it until it is
// acknowledged: nghttp3 may forget it at once. False: nothing to send now.
bool Session::write_one(Endpoint& endpoint, TimePoint now) {
  std::array<nghttp3_vec, kMaxVectors> pieces{};
  std::int64_t id = -1;
  int fin = 0;
  const nghttp3_ssize count =
      nghttp3_conn_writev_stream(library_.get(), &id, &fin, pieces.data(), pieces.size());
  if (count < 0) {
    const int error = static_cast<int>(count);
    fail_connection(endpoint, to_error_code(error), nghttp3_strerror(error), now);
    return false;
  }
  if (id < 0) return false;
  const std::span<const nghttp3_vec> filled = std::span{pieces}.first(static_cast<std::size_t>(count));
  const auto stream_id = static_cast<StreamId>(id);
  if (!write_slices(stream_id, filled, fin != 0, endpoint)) {
    if (!endpoint.is_alive(connection_)) closed_ = true;
    nghttp3_conn_shutdown_stream_write(library_.get(), id);  // its StreamStopped is on the way
    return !closed_;
  }
  const std::size_t size = nghttp3_vec_len(filled.data(), filled.size());
  QUELL_CHECK(nghttp3_conn_add_write_offset(library_.get(), id, size) == 0);
  QUELL_CHECK(nghttp3_conn_add_ack_offset(library_.get(), id, size) == 0);
  if (Stream* stream = find(stream_id); stream != nullptr && fin != 0) {
    stream->sent_end = true;
    stream->body.reset();
    settle(stream_id);
  }
  return true;
}

bool Session::write_slices(StreamId id, std::span<const nghttp3_vec> pieces, bool fin, Endpoint& endpoint) {
  Stream* stream = find(id);
  if (stream != nullptr) tell_priority(id, *stream, endpoint);
  if (pieces.empty()) return !fin || endpoint.write(connection_, id, Slice{}, true).has_value();
  for (std::size_t i = 0; i != pieces.size(); ++i) {
    Slice slice = slice_for(stream, Bytes{pieces[i].base, pieces[i].len});
    if (!endpoint.write(connection_, id, std::move(slice), fin && i + 1 == pieces.size())) return false;
  }
  return true;
}

// Content comes back as the very pieces that were lent, in their order; all else is framing, small and
// nghttp3's own.
Slice Session::slice_for(Stream* stream, Bytes bytes) {
  if (stream != nullptr && !stream->lent.empty() && stream->lent.front().bytes.data() == bytes.data()) {
    Slice slice = std::move(stream->lent.front());
    stream->lent.pop_front();
    QUELL_CHECK(slice.bytes.size() == bytes.size());
    return slice;
  }
  return Slice::copy_of(bytes);
}

nghttp3_ssize Session::lend_content(StreamId id, nghttp3_vec& out, std::uint32_t& flags) {
  Stream* stream = find(id);
  QUELL_CHECK(stream != nullptr && stream->body != nullptr);
  const std::size_t room = writing_to_->write_room(connection_, id);
  if (room == 0) return NGHTTP3_ERR_WOULDBLOCK;
  BodySource::Piece piece = stream->body->next(std::max(room, kMinPiece));
  if (piece.state == BodySource::State::failed) {
    fail_stream(id, ErrorCode::internal_error, "the content ended too early");
    return NGHTTP3_ERR_WOULDBLOCK;
  }
  const bool is_end = piece.state == BodySource::State::end;
  if (piece.slice.bytes.empty() && !is_end) return NGHTTP3_ERR_WOULDBLOCK;
  if (is_end) {
    flags |= NGHTTP3_DATA_FLAG_EOF;
    if (const Fields trailers = stream->body->trailers(); !trailers.empty()) {
      flags |= NGHTTP3_DATA_FLAG_NO_END_STREAM;
      submit_trailers(id, trailers);
    }
  }
  if (piece.slice.bytes.empty()) return 0;
  out = {const_cast<std::uint8_t*>(piece.slice.bytes.data()), piece.slice.bytes.size()};
  stream->lent.push_back(std::move(piece.slice));
  return 1;
}

// A server sends in the order that the client asked for (RFC 9218).
void Session::tell_priority(StreamId id, Stream& stream, Endpoint& endpoint) {
  if (side_ != Side::server || stream.priority_told) return;
  stream.priority_told = true;
  nghttp3_pri priority{};
  if (nghttp3_conn_get_stream_priority(library_.get(), &priority, library_id(id)) != 0) return;
  endpoint.set_priority(connection_, id, static_cast<std::uint8_t>(priority.urgency), priority.inc != 0);
}

}  // namespace quell::http3
