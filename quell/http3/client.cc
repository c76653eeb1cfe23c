#include "quell/http3/client.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "quell/base/check.h"

namespace quell::http3 {
namespace {

Fields section_of(const Request& request) {
  QUELL_CHECK(are_valid(request.fields));
  Fields fields{{":method", request.method},
                {":scheme", request.scheme},
                {":authority", request.authority},
                {":path", request.path}};
  fields.insert(fields.end(), request.fields.begin(), request.fields.end());
  if (request.body != nullptr && request.body->size() && !find(request.fields, "content-length")) {
    fields.push_back({"content-length", std::to_string(*request.body->size())});
  }
  return fields;
}

// nghttp3 has made sure that there is one and that it has three digits.
std::uint32_t take_status(Fields& fields) {
  std::uint32_t status = 0;
  if (const auto text = find(fields, ":status"))
    std::from_chars(text->data(), text->data() + text->size(), status);
  std::erase_if(fields, [](const Field& field) { return field.name.starts_with(':'); });
  return status;
}

}  // namespace

void Client::handle(const Event& event, Endpoint& endpoint, TimePoint now) {
  if (const auto* ended = std::get_if<ConnectionEnded>(&event.what)) {
    on_connection_ended(*ended);
  } else if (std::holds_alternative<HandshakeComplete>(event.what)) {
    session_.emplace(Side::client, connection_);
  } else if (session_) {
    session_->handle(event, endpoint, now);
  }
}

std::optional<ClientEvent> Client::poll(Endpoint& endpoint, TimePoint now) {
  for (;;) {
    if (!events_.empty()) {
      ClientEvent event = std::move(events_.front());
      events_.pop_front();
      return event;
    }
    if (!session_ || ended_) return std::nullopt;
    auto event = session_->poll(endpoint, now);
    if (!event) return std::nullopt;
    if (auto told = translate(std::move(*event))) return told;
  }
}

void Client::flush(Endpoint& endpoint, TimePoint now) {
  if (!session_ || ended_) return;
  if (session_->start(endpoint, now)) open_waiting(endpoint);
  session_->flush(endpoint, now);
}

RequestId Client::request(Request request) {
  const RequestId id = next_id_++;
  waiting_.push_back({id, std::move(request)});
  if (ended_ || going_away_) fail_waiting("the connection takes no more requests");
  return id;
}

void Client::resume(RequestId request) {
  const auto found = streams_.find(request);
  if (session_ && found != streams_.end()) session_->resume(found->second);
}

void Client::cancel(RequestId request) {
  std::erase_if(waiting_, [request](const Waiting& w) { return w.id == request; });
  const auto found = streams_.find(request);
  if (found == streams_.end()) return;
  const StreamId stream = found->second;
  session_->cancel(stream, ErrorCode::request_cancelled);
  forget(stream);
}

void Client::close(Endpoint& endpoint, TimePoint now) {
  endpoint.close(connection_, static_cast<std::uint64_t>(ErrorCode::no_error), "", now);
}

void Client::open_waiting(Endpoint& endpoint) {
  while (!waiting_.empty() && !going_away_) {
    const auto stream = endpoint.open_stream(connection_, StreamKind::bidi);
    if (!stream) return;
    Waiting next = std::move(waiting_.front());
    waiting_.pop_front();
    const Fields section = section_of(next.request);
    if (!session_->submit_request(*stream, section, std::move(next.request.body))) {
      endpoint.reset_stream(connection_, *stream, static_cast<std::uint64_t>(ErrorCode::request_cancelled));
      events_.push_back(
          RequestFailed{next.id, ErrorCode::no_error, true, "the connection takes no more requests"});
      continue;
    }
    requests_.emplace(*stream, next.id);
    streams_.emplace(next.id, *stream);
  }
}

std::optional<ClientEvent> Client::translate(SessionEvent event) {
  if (const auto* goaway = std::get_if<GoawayReceived>(&event)) {
    on_goaway(goaway->id);
    return std::nullopt;
  }
  const StreamId stream = std::visit(
      [](const auto& e) -> StreamId {
        if constexpr (requires { e.stream; }) return e.stream;
        return 0;
      },
      event);
  const auto found = requests_.find(stream);
  if (found == requests_.end()) return std::nullopt;
  const RequestId id = found->second;
  if (auto* section = std::get_if<SectionReceived>(&event)) return translate_section(std::move(*section), id);
  if (auto* content = std::get_if<ContentReceived>(&event)) {
    return ResponseContent{id, content->bytes, std::move(content->keep)};
  }
  forget(stream);
  if (auto* failed = std::get_if<StreamFailed>(&event)) {
    const bool is_retryable = failed->by_peer && failed->code == ErrorCode::request_rejected;
    return RequestFailed{id, failed->code, is_retryable, std::move(failed->reason)};
  }
  return ResponseEnded{id};
}

std::optional<ClientEvent> Client::translate_section(SectionReceived section, RequestId id) {
  if (section.is_trailers) return ResponseTrailers{id, std::move(section.fields)};
  const std::uint32_t status = take_status(section.fields);
  if (status < 200) return std::nullopt;
  return ResponseStarted{id, status, std::move(section.fields)};
}

// What the server will not process is over; the rest goes on (RFC 9114 §5.2).
void Client::on_goaway(std::uint64_t first_rejected) {
  going_away_ = true;
  fail_waiting("the server is going away");
  while (!requests_.empty() && requests_.rbegin()->first >= first_rejected) {
    const auto [stream, id] = *requests_.rbegin();
    session_->cancel(stream, ErrorCode::request_cancelled);
    forget(stream);
    events_.push_back(RequestFailed{id, ErrorCode::request_rejected, true, "the server is going away"});
  }
}

void Client::on_connection_ended(const ConnectionEnded& event) {
  ended_ = event;
  std::string reason = event.reason;
  if (session_ && !session_->close_reason().empty()) reason = session_->close_reason();
  if (reason.empty()) reason = "the connection ended";
  const auto code =
      event.is_application_code ? static_cast<ErrorCode>(event.error_code) : ErrorCode::no_error;
  for (const auto& [id, stream] : streams_) events_.push_back(RequestFailed{id, code, false, reason});
  streams_.clear();
  requests_.clear();
  fail_waiting(reason);
}

void Client::fail_waiting(const std::string& reason) {
  for (const Waiting& waiting : std::exchange(waiting_, {})) {
    events_.push_back(RequestFailed{waiting.id, ErrorCode::no_error, true, reason});
  }
}

void Client::forget(StreamId stream) {
  const auto found = requests_.find(stream);
  if (found == requests_.end()) return;
  streams_.erase(found->second);
  requests_.erase(found);
}

}  // namespace quell::http3
