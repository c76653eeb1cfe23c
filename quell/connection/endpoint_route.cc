// Which connection is a datagram for, and what is answered when there is none? (RFC 9000 §5.2)
#include <algorithm>

#include "quell/base/writer.h"
#include "quell/connection/endpoint_impl.h"
#include "quell/connection/packet_builder.h"
#include "quell/crypto/keys.h"
#include "quell/wire/version_packets.h"

namespace quell {
namespace {

// RFC 9000 §7.2: a client's first destination ID has at least eight bytes.
constexpr std::size_t kLeastInitialDestination = 8;
// RFC 9000 §10.3: the least size that looks like a short-header packet, and one that tells little.
constexpr std::size_t kLeastReset = 21;
constexpr std::size_t kUsualReset = 43;
constexpr std::uint8_t kLongHeader = 0x80;

}  // namespace

void Endpoint::Impl::handle_datagram(const Datagram& datagram, TimePoint now) {
  reap();
  if (datagram.bytes.empty()) return;
  Bytes destination;
  if ((datagram.bytes[0] & kLongHeader) != 0) {
    const auto header = parse_invariant(datagram.bytes);
    if (!header) return;
    destination = header->destination;
  } else {
    if (datagram.bytes.size() < 1 + config_.connection_id_size) return;
    destination = Bytes{datagram.bytes}.subspan(1, config_.connection_id_size);
  }
  if (destination.size() > ConnectionId::kMaxSize) return on_unroutable(datagram, now);
  const auto route = routes_.find(ConnectionId{destination});
  if (route == routes_.end()) return on_unroutable(datagram, now);

  const std::uint32_t slot = route->second;
  Connection* connection = slots_[slot].connection.get();
  // Paths cannot move yet: a datagram from elsewhere is not the peer's (RFC 9000 §9 lets us drop it).
  if (connection == nullptr || connection->remote() != datagram.remote) return;
  connection->receive(datagram.bytes, datagram.ecn, now);
  touch(slot);
}

void Endpoint::Impl::on_unroutable(const Datagram& datagram, TimePoint now) {
  const bool is_server = config_.server_credentials != nullptr;
  if ((datagram.bytes[0] & kLongHeader) == 0) {
    if (is_reset_for_client(datagram, now) || !is_server) return;
    return answer_reset(datagram, ConnectionId{Bytes{datagram.bytes}.subspan(1, config_.connection_id_size)});
  }
  if (!is_server) return;
  // Small datagrams are never answered, so that nobody can make us send more than he sent (§5.2.2, §14.1).
  if (datagram.bytes.size() < kMinInitialDatagram) return;
  const auto header = parse_invariant(datagram.bytes);
  if (header && header->version != kVersion1 && header->version != 0) return answer_version(datagram);
  const auto packet = parse_packet(datagram.bytes, config_.connection_id_size);
  if (!packet || packet->type != PacketType::initial || packet->is_unknown_version) return;
  if (packet->destination.size() < kLeastInitialDestination) return;
  on_new_client(datagram, *packet, now);
}

void Endpoint::Impl::on_new_client(const Datagram& datagram, const ProtectedPacket& packet, TimePoint now) {
  if (live_ >= config_.max_connections)
    return answer_close(datagram, packet, TransportError::connection_refused);
  std::optional<TokenKey::RetryToken> token;
  if (!packet.token.empty()) {
    token = tokens_.open_retry_token(packet.token, datagram.remote, config_.retry_token_lifetime, now);
    if (token && token->retry_source != packet.destination) token.reset();
    if (!token && config_.require_retry) return answer_close(datagram, packet, TransportError::invalid_token);
  }
  if (config_.require_retry && !token) return answer_retry(datagram, packet, now);

  const ConnectionId id = make_id();
  Connection::Setup setup{.side = Side::server,
                          .config = config_.server,
                          .credentials = config_.server_credentials,
                          .local = datagram.local,
                          .remote = datagram.remote,
                          .original_destination = token ? token->original_destination : packet.destination,
                          .local_id = id,
                          .remote_id = packet.source,
                          .is_address_validated = token.has_value(),
                          .reset_token = tokens_.reset_token(id),
                          .grease = random_->u64() >> 10};
  if (token) setup.retry_source = token->retry_source;
  setup.sink = make_sink(Side::server, setup.original_destination);
  const ConnectionId client_destination = packet.destination;  // the datagram is opened in place below
  const std::uint32_t slot = add(std::move(setup), now);
  Connection& connection = *slots_[slot].connection;
  connection.receive(datagram.bytes, datagram.ecn, now);
  if (!connection.has_received_packet()) {
    // Nothing authentic: as if it had never been there.
    slots_[slot].connection.reset();
    ++slots_[slot].generation;
    free_slots_.push_back(slot);
    --live_;
    return;
  }
  routes_[client_destination] = slot;
  slots_[slot].first_destination = client_destination;
  events_.push_back({handle_of(slot), ConnectionAccepted{}});
  touch(slot);
}

void Endpoint::Impl::send_stateless(const Datagram& to, std::vector<std::uint8_t> bytes) {
  (void)stateless_.push({to.local, to.remote, std::move(bytes)});
}

void Endpoint::Impl::answer_version(const Datagram& datagram) {
  const auto header = parse_invariant(datagram.bytes);
  // A reserved version keeps clients honest about unknown ones (RFC 9000 §6.3, §15).
  const std::uint32_t reserved = 0x0a0a0a0aU | (static_cast<std::uint32_t>(random_->u64()) & 0xf0f0f0f0U);
  const std::array<std::uint32_t, 2> versions{kVersion1, reserved};
  std::vector<std::uint8_t> bytes(7 + header->source.size() + header->destination.size() +
                                  4 * versions.size());
  Writer out{bytes};
  write_version_negotiation(out, header->source, header->destination, versions, random_byte());
  bytes.resize(out.position());
  send_stateless(datagram, std::move(bytes));
}

void Endpoint::Impl::answer_retry(const Datagram& datagram, const ProtectedPacket& packet, TimePoint now) {
  const ConnectionId source = make_id();
  const auto token = tokens_.make_retry_token(datagram.remote, packet.destination, source, now, *random_);
  std::vector<std::uint8_t> bytes(7 + packet.source.size() + source.size() + token.size() + kAeadTagSize);
  Writer out{bytes};
  write_retry_without_tag(out, kVersion1, packet.source, source, token, random_byte());
  out.bytes(retry_integrity_tag(out.written(), packet.destination.bytes()));
  bytes.resize(out.position());
  send_stateless(datagram, std::move(bytes));
}

// RFC 9000 §10.2.3: an Initial that only says why, sealed with the keys that its own destination ID gives.
void Endpoint::Impl::answer_close(const Datagram& datagram, const ProtectedPacket& packet,
                                  TransportError code) {
  const InitialSecrets secrets = initial_secrets(packet.destination);
  PacketKey key{AeadKind::aes_128_gcm, secrets.server};
  HeaderKey header_key{AeadKind::aes_128_gcm, secrets.server};
  std::vector<std::uint8_t> bytes(kMinInitialDatagram);
  std::vector<SentFrame> notes;
  PacketBuilder builder{
      bytes,
      {.type = PacketType::initial, .destination = packet.source, .source = packet.destination},
      notes};
  builder.sink().put_unnoted(ConnectionCloseFrame{false, static_cast<std::uint64_t>(code), 0, {}});
  bytes.resize(builder.seal(key, header_key).size());
  send_stateless(datagram, std::move(bytes));
}

void Endpoint::Impl::answer_reset(const Datagram& datagram, const ConnectionId& destination) {
  // Always smaller than what it answers, so that two ends cannot reset each other for ever (§10.3.3).
  const std::size_t size = std::min(kUsualReset, datagram.bytes.size() - 1);
  if (size < kLeastReset) return;
  std::vector<std::uint8_t> noise(size - std::tuple_size_v<StatelessResetToken>);
  random_->fill(noise);
  std::vector<std::uint8_t> bytes(size);
  Writer out{bytes};
  write_stateless_reset(out, size, noise, tokens_.reset_token(destination));
  send_stateless(datagram, std::move(bytes));
}

// Only servers give out reset tokens that somebody uses, so only our client connections are asked.
bool Endpoint::Impl::is_reset_for_client(const Datagram& datagram, TimePoint now) {
  for (std::uint32_t slot = 0; slot < slots_.size(); ++slot) {
    Connection* connection = slots_[slot].connection.get();
    if (connection == nullptr || connection->side() != Side::client ||
        connection->remote() != datagram.remote)
      continue;
    if (!connection->receive_reset(datagram.bytes, now)) continue;
    touch(slot);
    return true;
  }
  return false;
}

}  // namespace quell
