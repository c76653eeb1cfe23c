#include "quell/http3/session.h"

#include <algorithm>
#include <utility>

#include "quell/base/check.h"

namespace quell::http3 {
namespace {

template <typename... Visitors>
struct Overloaded : Visitors... {
  using Visitors::operator()...;
};
template <typename... Visitors>
Overloaded(Visitors...) -> Overloaded<Visitors...>;

nghttp3_settings our_settings() {
  nghttp3_settings settings;
  nghttp3_settings_default(&settings);
  settings.max_field_section_size = kMaxSectionSize;
  settings.qpack_max_dtable_capacity = kQpackTableCapacity;
  settings.qpack_encoder_max_dtable_capacity = kQpackTableCapacity;
  settings.qpack_blocked_streams = kQpackBlockedStreams;
  return settings;
}

// The transport enforces the limit of streams; nghttp3 need not do so again.
constexpr std::uint64_t kNoStreamLimit = std::uint64_t{1} << 60;

std::int64_t library_id(StreamId id) {
  return static_cast<std::int64_t>(id);
}

}  // namespace

Session::Session(Side side, ConnectionHandle connection) : side_(side), connection_(connection) {
  const nghttp3_settings settings = our_settings();
  nghttp3_conn* made = nullptr;
  if (side == Side::client) {
    QUELL_CHECK(nghttp3_conn_client_new(&made, &callbacks(), &settings, nullptr, this) == 0);
  } else {
    QUELL_CHECK(nghttp3_conn_server_new(&made, &callbacks(), &settings, nullptr, this) == 0);
    nghttp3_conn_set_max_client_streams_bidi(made, kNoStreamLimit);
    nghttp3_conn_set_max_concurrent_streams(made, kQpackBlockedStreams);
  }
  library_.reset(made);
}

void Session::handle(const Event& event, Endpoint& endpoint, TimePoint now) {
  QUELL_CHECK(!reading_);
  if (closed_) return;
  std::visit(Overloaded{
                 [&](const StreamOpened& e) { queue_readable(e.stream); },
                 [&](const StreamReadable& e) { queue_readable(e.stream); },
                 [&](const StreamWritable& e) { resume(e.stream); },
                 [&](const StreamReset& e) {
                   on_reset(e.stream, static_cast<ErrorCode>(e.error_code), endpoint, now);
                 },
                 [&](const StreamStopped& e) {
                   if (kind(e.stream) == StreamKind::uni) {
                     fail_connection(endpoint, ErrorCode::closed_critical_stream,
                                     "the peer does not read a critical stream", now);
                   } else {
                     on_stopped(e.stream, static_cast<ErrorCode>(e.error_code));
                   }
                 },
                 [&](const StreamFinished& e) {
                   if (Stream* stream = find(e.stream)) stream->all_acknowledged = true;
                   settle(e.stream);
                 },
                 [&](const auto&) {},
             },
             event.what);
}

std::optional<SessionEvent> Session::poll(Endpoint& endpoint, TimePoint now) {
  while (events_.empty()) {
    finish_reading(endpoint);
    if (closed_ || !is_started() || !read_one(endpoint, now)) break;
  }
  if (events_.empty()) return std::nullopt;
  SessionEvent event = std::move(events_.front());
  events_.pop_front();
  return event;
}

void Session::flush(Endpoint& endpoint, TimePoint now) {
  QUELL_CHECK(!reading_);
  if (closed_) return;
  if (!start(endpoint, now)) return;
  run_aborts(endpoint);
  writing_to_ = &endpoint;
  while (!closed_ && write_one(endpoint, now)) {
  }
  writing_to_ = nullptr;
  run_aborts(endpoint);
}

// The control stream first: it is what the peer waits for.
bool Session::start(Endpoint& endpoint, TimePoint now) {
  if (is_started()) return !closed_;
  while (!is_started()) {
    const auto opened = endpoint.open_stream(connection_, StreamKind::uni);
    if (!opened) return false;
    own_streams_.push_back(*opened);
    // Before all content: what QPACK's encoder says is awaited by the header sections that go with it.
    endpoint.set_priority(connection_, *opened, 0, false);
    if (own_streams_.size() == 1) {
      QUELL_CHECK(nghttp3_conn_bind_control_stream(library_.get(), library_id(*opened)) == 0);
    }
  }
  const int error = nghttp3_conn_bind_qpack_streams(library_.get(), library_id(own_streams_[1]),
                                                    library_id(own_streams_[2]));
  if (error != 0) fail_connection(endpoint, to_error_code(error), nghttp3_strerror(error), now);
  return !closed_;
}

void Session::cancel(StreamId id, ErrorCode code) {
  Stream* stream = find(id);
  if (stream == nullptr || stream->has_failed) return;
  stream->has_failed = true;
  aborts_.push_back({id, code});
  const auto is_of_stream = [id](const SessionEvent& event) {
    return std::visit(Overloaded{[](const GoawayReceived&) { return false; },
                                 [id](const auto& e) { return e.stream == id; }},
                      event);
  };
  std::erase_if(events_, is_of_stream);
}

void Session::announce_shutdown() {
  if (!closed_) QUELL_CHECK(nghttp3_conn_submit_shutdown_notice(library_.get()) == 0);
}

void Session::begin_shutdown() {
  if (!closed_) QUELL_CHECK(nghttp3_conn_shutdown(library_.get()) == 0);
}

void Session::on_reset(StreamId id, ErrorCode code, Endpoint& endpoint, TimePoint now) {
  if (kind(id) == StreamKind::uni) {
    const int error =
        nghttp3_conn_close_stream(library_.get(), library_id(id), static_cast<std::uint64_t>(code));
    if (error == NGHTTP3_ERR_H3_CLOSED_CRITICAL_STREAM) {
      fail_connection(endpoint, to_error_code(error), "the peer reset a critical stream", now);
    }
    return;
  }
  Stream* stream = find(id);
  if (stream == nullptr) {
    // Given up before we read anything of it: close our direction, too.
    if (side_ == Side::server) aborts_.push_back({id, ErrorCode::request_rejected});
    return;
  }
  if (stream->received_end) return;
  stream->received_end = true;
  fail_stream_by_peer(id, code, ErrorCode::request_cancelled,
                      "the peer reset the stream: " + to_string(code));
}

// To a server, an unwanted response is a request withdrawn. A client only stops sending its content: the
// response may still come (RFC 9114 §4.1).
void Session::on_stopped(StreamId id, ErrorCode code) {
  Stream* stream = find(id);
  if (stream == nullptr) return;
  stream->body.reset();
  stream->sent_end = true;
  stream->all_acknowledged = true;
  nghttp3_conn_shutdown_stream_write(library_.get(), library_id(id));
  if (side_ == Side::client) return settle(id);
  fail_stream_by_peer(id, code, ErrorCode::request_cancelled,
                      "the peer does not want the response: " + to_string(code));
}

void Session::fail_stream(StreamId id, ErrorCode code, std::string reason) {
  Stream* stream = find(id);
  if (stream == nullptr || std::exchange(stream->has_failed, true)) return;
  aborts_.push_back({id, code});
  if (stream->is_known) events_.push_back(StreamFailed{id, code, false, std::move(reason)});
}

void Session::fail_stream_by_peer(StreamId id, ErrorCode told, ErrorCode code, std::string reason) {
  Stream* stream = find(id);
  if (stream == nullptr || std::exchange(stream->has_failed, true)) return;
  aborts_.push_back({id, code});
  if (stream->is_known) events_.push_back(StreamFailed{id, told, true, std::move(reason)});
}

void Session::fail_connection(Endpoint& endpoint, ErrorCode code, const std::string& reason, TimePoint now) {
  closed_ = true;
  close_reason_ = to_string(code) + ": " + reason;
  endpoint.close(connection_, static_cast<std::uint64_t>(code), reason, now);
}

void Session::run_aborts(Endpoint& endpoint) {
  for (const Abort& abort : std::exchange(aborts_, {})) abort_now(abort, endpoint);
}

void Session::abort_now(const Abort& abort, Endpoint& endpoint) {
  const auto code = static_cast<std::uint64_t>(abort.code);
  if (kind(abort.stream) == StreamKind::uni) {
    endpoint.stop_sending(connection_, abort.stream, code);
    nghttp3_conn_close_stream(library_.get(), library_id(abort.stream), code);
    return;
  }
  Stream* stream = find(abort.stream);
  if (stream == nullptr || !stream->sent_end) endpoint.reset_stream(connection_, abort.stream, code);
  if (stream == nullptr || !stream->received_end) endpoint.stop_sending(connection_, abort.stream, code);
  nghttp3_conn_shutdown_stream_write(library_.get(), library_id(abort.stream));
  nghttp3_conn_shutdown_stream_read(library_.get(), library_id(abort.stream));
  if (stream == nullptr) return;
  stream->has_failed = stream->sent_end = stream->received_end = stream->all_acknowledged = true;
  settle(abort.stream);
}

// Lets go of a stream as soon as nobody needs it: nghttp3 when both messages have passed through it, we when
// the peer has all.
void Session::settle(StreamId id) {
  Stream* stream = find(id);
  if (stream == nullptr || !stream->received_end || !stream->sent_end) return;
  if (!stream->closed_in_library) {
    stream->closed_in_library = true;
    nghttp3_conn_close_stream(library_.get(), library_id(id), NGHTTP3_H3_NO_ERROR);
  }
  if (stream->all_acknowledged) streams_.erase(id);
}

std::vector<StreamId> Session::open_streams() const {
  std::vector<StreamId> ids;
  for (const auto& [id, stream] : streams_) {
    if (stream.is_known && !stream.has_failed && !stream.sent_end) ids.push_back(id);
  }
  return ids;
}

Session::Stream* Session::find(StreamId id) {
  const auto found = streams_.find(id);
  return found == streams_.end() ? nullptr : &found->second;
}

}  // namespace quell::http3
