#include "quell/lab/stream_load.h"

#include <fmt/format.h>

#include <utility>
#include <variant>

#include "quell/base/check.h"
#include "quell/lab/ended_text.h"

namespace quell::lab {

StreamLoad::StreamLoad(const LoadConfig& config, Call call)
    : client_(config, std::move(call)), server_(config) {
  client_.call.config.alpn = {alpn()};
}

std::optional<TimePoint> StreamLoad::completed_at() const {
  return client_.completed_at ? client_.completed_at : server_.completed_at;
}

// --- what both ends do

std::optional<TimePoint> StreamLoad::End::next_wake() const {
  if (!stream) return std::nullopt;
  const auto write_at = out.next_wake();
  const auto read_at = in.next_wake();
  return write_at && read_at ? std::min(*write_at, *read_at) : write_at ? write_at : read_at;
}

void StreamLoad::End::write(Endpoint& endpoint, TimePoint now) {
  if (!stream) return;
  if (out.body().is_over(now)) {
    completed_at = now;
  } else if (!out.write(endpoint, {*handle, *stream}, now)) {
    stream.reset();
  }
}

bool StreamLoad::End::read(Endpoint& endpoint, TimePoint now) {
  return stream && in.read(endpoint, {*handle, *stream}, now);
}

void StreamLoad::End::check_all_there(const char* who, TimePoint now) {
  if (in.received() != config.bytes)
    failure = fmt::format("{}: got {} of {} bytes", who, in.received(), config.bytes);
  completed_at = now;
}

// --- the client

std::optional<TimePoint> StreamLoad::Client::next_wake() const {
  if (!handle) return call.starts_at;
  return End::next_wake();
}

void StreamLoad::Client::on_wake(Endpoint& endpoint, TimePoint now) {
  if (!handle) {
    handle = endpoint.connect(call.local, call.remote, "localhost", call.credentials, call.config, now);
  }
  while (const auto event = endpoint.poll_event()) {
    if (std::holds_alternative<HandshakeComplete>(event->what)) {
      if (config.kind != LoadKind::handshake) ask(endpoint, now);
    } else if (std::holds_alternative<HandshakeConfirmed>(event->what)) {
      confirmed_at = now;
      if (config.kind == LoadKind::handshake) completed_at = now;
    } else if (const auto* ended = std::get_if<ConnectionEnded>(&event->what)) {
      failure = "client: " + describe(*ended);
      stream.reset();
    }
  }
  if (config.sender == Side::client) return write(endpoint, now);
  if (read(endpoint, now)) check_all_there("client", now);
}

void StreamLoad::Client::ask(Endpoint& endpoint, TimePoint now) {
  static constexpr std::uint8_t kRequest[] = {'G', 'E', 'T'};
  const auto opened = endpoint.open_stream(*handle, StreamKind::bidi);
  QUELL_CHECK(opened.has_value());
  stream = *opened;
  if (config.sender == Side::client) return out.begin(now);
  QUELL_CHECK(endpoint.write(*handle, *stream, Slice::copy_of(kRequest), true).has_value());
}

// --- the server

void StreamLoad::Server::on_wake(Endpoint& endpoint, TimePoint now) {
  while (const auto event = endpoint.poll_event()) {
    handle = event->connection;
    if (const auto* opened = std::get_if<StreamOpened>(&event->what)) {
      stream = opened->stream;
    } else if (const auto* ended = std::get_if<ConnectionEnded>(&event->what)) {
      failure = "server: " + describe(*ended);
      stream.reset();
    }
  }
  if (read(endpoint, now)) hear(now);
  if (config.sender == Side::server) write(endpoint, now);
}

// All that the client had to say: its request, or the body.
void StreamLoad::Server::hear(TimePoint now) {
  if (config.sender == Side::client) return check_all_there("server", now);
  out.begin(now);
}

}  // namespace quell::lab
