#include "quell/http3/server.h"

#include <algorithm>
#include <utility>

#include "quell/base/check.h"

namespace quell::http3 {
namespace {

// RFC 9114 §5.2: time for requests in flight to arrive between the two GOAWAYs.
constexpr int kShutdownRoundTrips = 2;

Fields section_of(const Response& response) {
  QUELL_CHECK(are_valid(response.fields));
  Fields fields{{":status", std::to_string(response.status)}};
  fields.insert(fields.end(), response.fields.begin(), response.fields.end());
  if (response.body != nullptr && response.body->size() && !find(response.fields, "content-length")) {
    fields.push_back({"content-length", std::to_string(*response.body->size())});
  }
  return fields;
}

std::string text_of(const Fields& fields, std::string_view name) {
  return std::string{find(fields, name).value_or("")};
}

}  // namespace

void Server::handle(const Event& event, Endpoint& endpoint, TimePoint now) {
  const ConnectionHandle handle = event.connection;
  if (const auto* ended = std::get_if<ConnectionEnded>(&event.what))
    return on_connection_ended(handle, *ended);
  if (std::holds_alternative<HandshakeComplete>(event.what)) {
    connections_.emplace(handle, std::make_unique<Connection>(handle));
    to_flush_.insert(handle);
    return;
  }
  Connection* connection = find(handle);
  if (connection == nullptr) return;
  connection->session.handle(event, endpoint, now);
  to_poll_.insert(handle);
  to_flush_.insert(handle);
}

std::optional<ServerEvent> Server::poll(Endpoint& endpoint, TimePoint now) {
  for (;;) {
    if (!events_.empty()) {
      ServerEvent event = std::move(events_.front());
      events_.pop_front();
      return event;
    }
    if (to_poll_.empty()) return std::nullopt;
    Connection* connection = find(*to_poll_.begin());
    auto event = connection != nullptr ? connection->session.poll(endpoint, now) : std::nullopt;
    if (!event) {
      to_poll_.erase(to_poll_.begin());
      continue;
    }
    if (auto told = translate(connection->session.connection(), std::move(*event))) return told;
  }
}

void Server::flush(Endpoint& endpoint, TimePoint now) {
  if (shutting_down_) {
    for (const auto& [handle, connection] : connections_) to_flush_.insert(handle);
  }
  for (const ConnectionHandle handle : std::exchange(to_flush_, {})) {
    Connection* connection = find(handle);
    if (connection == nullptr) continue;
    if (shutting_down_) drive_shutdown(*connection, endpoint, now);
    connection->session.flush(endpoint, now);
    to_poll_.insert(handle);
  }
}

std::optional<TimePoint> Server::next_wake() const {
  std::optional<TimePoint> next;
  if (!shutting_down_) return next;
  for (const auto& [handle, connection] : connections_) {
    const auto& due = connection->announced_until;
    if (due && !connection->shutdown_begun && (!next || *due < *next)) next = due;
  }
  return next;
}

std::size_t Server::unfinished_requests() const {
  std::size_t count = 0;
  for (const auto& [handle, connection] : connections_) count += connection->session.unfinished_streams();
  return count;
}

// RFC 9114 §5.2. A connection closes when nothing of it is left to be acknowledged.
void Server::drive_shutdown(Connection& connection, Endpoint& endpoint, TimePoint now) {
  Session& session = connection.session;
  if (session.is_closed() || !session.start(endpoint, now)) return;
  if (!connection.announced_until) {
    session.announce_shutdown();
    const auto stats = endpoint.stats(session.connection(), now);
    connection.announced_until =
        now + kShutdownRoundTrips * (stats ? stats->smoothed_rtt : milliseconds{100});
  }
  if (now < *connection.announced_until) return;
  if (!connection.shutdown_begun) {
    connection.shutdown_begun = true;
    session.begin_shutdown();
  }
  if (session.unfinished_streams() == 0) {
    session.flush(endpoint, now);
    endpoint.close(session.connection(), static_cast<std::uint64_t>(ErrorCode::no_error), "", now);
  }
}

void Server::respond(RequestKey key, Response response) {
  Connection* connection = find(key.connection);
  if (connection == nullptr) return;
  const Fields section = section_of(response);
  connection->session.submit_response(key.stream, section, std::move(response.body));
  to_flush_.insert(key.connection);
}

void Server::resume(RequestKey key) {
  if (Connection* connection = find(key.connection)) {
    connection->session.resume(key.stream);
    to_flush_.insert(key.connection);
  }
}

void Server::cancel(RequestKey key, ErrorCode code) {
  if (Connection* connection = find(key.connection)) {
    connection->session.cancel(key.stream, code);
    to_flush_.insert(key.connection);
  }
}

void Server::on_connection_ended(ConnectionHandle handle, const ConnectionEnded& event) {
  const Connection* connection = find(handle);
  if (connection == nullptr) return;
  for (const StreamId stream : connection->session.open_streams()) {
    events_.push_back(
        RequestCancelled{{handle, stream}, ErrorCode::no_error, "the connection ended: " + event.reason});
  }
  connections_.erase(handle);
}

std::optional<ServerEvent> Server::translate(ConnectionHandle handle, SessionEvent event) {
  if (auto* section = std::get_if<SectionReceived>(&event)) {
    const RequestKey key{handle, section->stream};
    if (section->is_trailers) return RequestTrailers{key, std::move(section->fields)};
    return translate_request(key, std::move(section->fields));
  }
  if (auto* content = std::get_if<ContentReceived>(&event)) {
    return RequestContent{{handle, content->stream}, content->bytes, std::move(content->keep)};
  }
  if (const auto* ended = std::get_if<MessageEnded>(&event)) return RequestEnded{{handle, ended->stream}};
  if (auto* failed = std::get_if<StreamFailed>(&event)) {
    return RequestCancelled{{handle, failed->stream}, failed->code, std::move(failed->reason)};
  }
  return std::nullopt;  // a client's GOAWAY speaks of pushes, and there are none
}

ServerEvent Server::translate_request(RequestKey key, Fields fields) {
  RequestReceived request{.key = key,
                          .method = text_of(fields, ":method"),
                          .scheme = text_of(fields, ":scheme"),
                          .authority = text_of(fields, ":authority"),
                          .path = text_of(fields, ":path"),
                          .fields = {}};
  if (request.authority.empty()) request.authority = text_of(fields, "host");
  std::erase_if(fields, [](const Field& field) { return field.name.starts_with(':'); });
  request.fields = std::move(fields);
  return request;
}

Server::Connection* Server::find(ConnectionHandle handle) {
  const auto found = connections_.find(handle);
  return found == connections_.end() ? nullptr : found->second.get();
}

}  // namespace quell::http3
