#include "quell/connection/endpoint.h"

#include <utility>

#include "quell/connection/endpoint_impl.h"

namespace quell {

Endpoint::Endpoint(EndpointConfig config) : impl_(std::make_unique<Impl>(std::move(config))) {}
Endpoint::~Endpoint() = default;

void Endpoint::handle_datagram(const Datagram& datagram, TimePoint now) {
  impl_->handle_datagram(datagram, now);
}
void Endpoint::handle_timeout(TimePoint now) {
  impl_->handle_timeout(now);
}
std::optional<Transmit> Endpoint::poll_transmit(MutableBytes buffer, std::size_t max_segments,
                                                TimePoint now) {
  return impl_->poll_transmit(buffer, max_segments, now);
}
std::optional<TimePoint> Endpoint::next_timeout() {
  return impl_->next_timeout();
}
std::optional<Event> Endpoint::poll_event() {
  return impl_->poll_event();
}

ConnectionHandle Endpoint::connect(const Address& local, const Address& remote,
                                   const std::string& server_name, CredentialsPtr credentials,
                                   const ConnectionConfig& config, TimePoint now) {
  return impl_->connect(local, remote, server_name, std::move(credentials), config, now);
}

void Endpoint::close(ConnectionHandle connection, std::uint64_t error_code, const std::string& reason,
                     TimePoint now) {
  if (Connection* c = impl_->find(connection)) {
    c->close(error_code, reason, now);
    impl_->touch(connection);
  }
}

void Endpoint::peer_unreachable(const Address& remote, TimePoint now) {
  impl_->peer_unreachable(remote, now);
}
std::size_t Endpoint::connection_count() const {
  return impl_->connection_count();
}

bool Endpoint::is_alive(ConnectionHandle connection) const {
  const Connection* c = std::as_const(*impl_).find(connection);
  return c != nullptr && c->is_open();
}

std::optional<ConnectionStats> Endpoint::stats(ConnectionHandle connection, TimePoint now) const {
  const Connection* c = std::as_const(*impl_).find(connection);
  if (c == nullptr) return std::nullopt;
  return c->stats(now);
}

Address Endpoint::remote_address(ConnectionHandle connection) const {
  const Connection* c = std::as_const(*impl_).find(connection);
  return c != nullptr ? c->remote() : Address{};
}

std::string Endpoint::server_name(ConnectionHandle connection) const {
  const Connection* c = std::as_const(*impl_).find(connection);
  return c != nullptr ? c->server_name() : std::string{};
}

bool Endpoint::update_keys(ConnectionHandle connection, TimePoint now) {
  Connection* c = impl_->find(connection);
  return c != nullptr && c->update_keys(now);
}

namespace {

// The connection if streams may be used on it.
std::expected<Connection*, StreamError> usable(Connection* connection) {
  if (connection == nullptr || !connection->is_open()) return std::unexpected(StreamError::no_connection);
  return connection;
}

}  // namespace

std::expected<StreamId, StreamError> Endpoint::open_stream(ConnectionHandle connection, StreamKind kind) {
  const auto c = usable(impl_->find(connection));
  if (!c) return std::unexpected(c.error());
  auto opened = (*c)->streams().open(kind);
  if (!opened) impl_->touch(connection);  // STREAMS_BLOCKED may go out
  return opened;
}

std::expected<void, StreamError> Endpoint::write(ConnectionHandle connection, StreamId stream, Slice slice,
                                                 bool fin) {
  const auto c = usable(impl_->find(connection));
  if (!c) return std::unexpected(c.error());
  auto written = (*c)->streams().write(stream, std::move(slice), fin);
  if (written) impl_->touch(connection);
  return written;
}

std::size_t Endpoint::write_room(ConnectionHandle connection, StreamId stream) {
  const auto c = usable(impl_->find(connection));
  return c ? (*c)->streams().write_room(stream, (*c)->cwnd()) : 0;
}

void Endpoint::set_priority(ConnectionHandle connection, StreamId stream, std::uint8_t urgency,
                            bool incremental) {
  if (const auto c = usable(impl_->find(connection)))
    (*c)->streams().set_priority(stream, urgency, incremental);
}

void Endpoint::reset_stream(ConnectionHandle connection, StreamId stream, std::uint64_t error_code) {
  if (const auto c = usable(impl_->find(connection))) {
    (*c)->streams().reset(stream, error_code);
    impl_->touch(connection);
  }
}

void Endpoint::stop_sending(ConnectionHandle connection, StreamId stream, std::uint64_t error_code) {
  if (const auto c = usable(impl_->find(connection))) {
    (*c)->streams().stop_sending(stream, error_code);
    impl_->touch(connection);
  }
}

std::expected<Endpoint::Readable, StreamError> Endpoint::read(ConnectionHandle connection, StreamId stream) {
  // What had arrived before the end may still be read.
  Connection* c = impl_->find(connection);
  if (c == nullptr) return std::unexpected(StreamError::no_connection);
  return c->streams().read(stream);
}

void Endpoint::consume(ConnectionHandle connection, StreamId stream, std::size_t count) {
  Connection* c = impl_->find(connection);
  if (c == nullptr) return;
  c->streams().consume(stream, count);
  if (c->is_open()) impl_->touch(connection);
}

}  // namespace quell
