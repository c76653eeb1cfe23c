#include "quell/lab/stream_load.h"

#include <fmt/format.h>

#include <variant>

#include "quell/base/check.h"
#include "quell/lab/ended_text.h"

namespace quell::lab {

StreamLoad::StreamLoad(const LoadConfig& config, Call call)
    : client_(config, std::move(call)), server_(config) {
  client_.call.config.alpn = {alpn()};
}

std::optional<TimePoint> StreamLoad::Client::next_wake() const {
  if (connection) return std::nullopt;
  return TimePoint{};  // at once
}

void StreamLoad::Client::on_wake(Endpoint& endpoint, TimePoint now) {
  if (!connection) {
    connection = endpoint.connect(call.local, call.remote, "localhost", call.credentials, call.config, now);
  }
  while (const auto event = endpoint.poll_event()) {
    if (std::holds_alternative<HandshakeComplete>(event->what)) {
      if (config.kind != LoadKind::handshake) ask(endpoint);
    } else if (std::holds_alternative<HandshakeConfirmed>(event->what)) {
      confirmed_at = now;
      if (config.kind == LoadKind::handshake) completed_at = now;
    } else if (const auto* readable = std::get_if<StreamReadable>(&event->what)) {
      read(endpoint, readable->stream, now);
    } else if (const auto* ended = std::get_if<ConnectionEnded>(&event->what)) {
      failure = "client: " + describe(*ended);
    }
  }
}

void StreamLoad::Client::ask(Endpoint& endpoint) {
  static constexpr std::uint8_t kRequest[] = {'G', 'E', 'T'};
  const auto stream = endpoint.open_stream(*connection, StreamKind::bidi);
  QUELL_CHECK(stream.has_value());
  QUELL_CHECK(endpoint.write(*connection, *stream, Slice::copy_of(kRequest), true).has_value());
}

void StreamLoad::Client::read(Endpoint& endpoint, StreamId stream, TimePoint now) {
  for (;;) {
    const auto readable = endpoint.read(*connection, stream);
    if (!readable) return;
    received += readable->bytes.size();
    const bool fin = readable->fin;
    const std::size_t size = readable->bytes.size();
    if (size > 0 || fin) endpoint.consume(*connection, stream, size);
    if (fin) {
      if (received != config.bytes)
        failure = fmt::format("client: got {} of {} bytes", received, config.bytes);
      completed_at = now;
    }
    if (fin || size == 0) return;
  }
}

std::optional<TimePoint> StreamLoad::Server::next_wake() const {
  const auto end = body.silence_ends_at();
  if (!stream || body.is_finished() || !end || last_wake >= *end) return std::nullopt;
  return end;
}

void StreamLoad::Server::on_wake(Endpoint& endpoint, TimePoint now) {
  last_wake = now;
  while (const auto event = endpoint.poll_event()) {
    connection = event->connection;
    if (const auto* opened = std::get_if<StreamOpened>(&event->what)) {
      stream = opened->stream;
      read(endpoint, *stream, now);
    } else if (const auto* readable = std::get_if<StreamReadable>(&event->what)) {
      read(endpoint, readable->stream, now);
    } else if (const auto* ended = std::get_if<ConnectionEnded>(&event->what)) {
      failure = "server: " + describe(*ended);
      stream.reset();
    }
  }
  if (stream) write(endpoint, now);
}

void StreamLoad::Server::read(Endpoint& endpoint, StreamId id, TimePoint now) {
  for (;;) {
    const auto readable = endpoint.read(*connection, id);
    if (!readable) return;
    const bool fin = readable->fin;
    const std::size_t size = readable->bytes.size();
    if (size > 0 || fin) endpoint.consume(*connection, id, size);
    if (fin) body.begin(now);
    if (fin || size == 0) return;
  }
}

void StreamLoad::Server::write(Endpoint& endpoint, TimePoint now) {
  while (body.is_ready(now)) {
    const std::size_t room = endpoint.write_room(*connection, *stream);
    if (room == 0) return;
    Slice slice = body.take(room);
    if (!endpoint.write(*connection, *stream, std::move(slice), body.is_finished())) {
      stream.reset();
      return;
    }
  }
}

}  // namespace quell::lab
