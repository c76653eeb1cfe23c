// How does the handshake go forward: TLS bytes, keys, transport parameters, confirmation? (RFC 9001 §4, RFC
// 9000 §7)
#include <algorithm>
#include <utility>

#include "quell/base/check.h"
#include "quell/connection/connection.h"
#include "quell/crypto/gnutls_handshake.h"
#include "quell/crypto/keys.h"

namespace quell {
namespace {

using Milestone = trace::HandshakeProgress::Milestone;

Result<void> parameter_error(std::string_view reason) {
  return fail(TransportError::transport_parameter_error, reason);
}

}  // namespace

TransportParameters Connection::local_parameters(const StatelessResetToken& reset_token) const {
  TransportParameters p;
  p.initial_source_connection_id = handshake_local_id_;
  p.max_idle_timeout = config_.idle_timeout;
  p.initial_max_data = config_.max_data;
  p.initial_max_stream_data_bidi_local = config_.max_stream_data;
  p.initial_max_stream_data_bidi_remote = config_.max_stream_data;
  p.initial_max_stream_data_uni = config_.max_stream_data;
  p.initial_max_streams_bidi = config_.max_streams_bidi;
  p.initial_max_streams_uni = config_.max_streams_uni;
  p.max_ack_delay = config_.max_ack_delay;
  p.active_connection_id_limit = kActiveConnectionIdLimit;
  p.disable_active_migration = true;  // until paths can move
  if (side_ == Side::server) {
    p.original_destination_connection_id = original_destination_;
    p.retry_source_connection_id = retry_source_;
    p.stateless_reset_token = reset_token;
  }
  return p;
}

void Connection::start_handshake(CredentialsPtr credentials, std::uint64_t grease,
                                 const StatelessResetToken& reset_token, TimePoint now) {
  const TransportParameters parameters = local_parameters(reset_token);
  if (sink_) sink_->parameters_set({.is_local = true, .parameters = &parameters}, now);
  handshake_ = make_gnutls_handshake(side_, {.credentials = std::move(credentials),
                                             .alpn = config_.alpn,
                                             .server_name = server_name_,
                                             .transport_parameters = encode(parameters, grease),
                                             .ciphers = config_.ciphers,
                                             .keylog_file = config_.keylog_file,
                                             .key_log = config_.key_log});
  if (auto started = handshake_->start(); !started) return fail_with(started.error(), now);
  if (auto advanced = advance_handshake(now); !advanced) fail_with(advanced.error(), now);
}

void Connection::install_initial_keys(const ConnectionId& client_destination) {
  const InitialSecrets secrets = initial_secrets(client_destination);
  const bool is_client = side_ == Side::client;
  PacketSpace& initial = space(Space::initial);
  initial.set_send_keys(AeadKind::aes_128_gcm, is_client ? secrets.client : secrets.server);
  initial.set_receive_keys(AeadKind::aes_128_gcm, is_client ? secrets.server : secrets.client);
}

Result<void> Connection::advance_handshake(TimePoint now) {
  while (auto secret = handshake_->poll_secret()) install(*secret, now);
  while (auto bytes = handshake_->poll_bytes()) space(bytes->space).crypto.write(std::move(bytes->data));
  if (auto raw = handshake_->take_peer_parameters()) {
    if (auto accepted = accept_parameters(*raw, now); !accepted) return accepted;
  }
  if (!handshake_complete_ && handshake_->is_complete()) on_handshake_complete(now);
  return {};
}

void Connection::install(const HandshakeSecret& secret, TimePoint now) {
  PacketSpace& s = space(secret.space);
  keys_changed_ = true;
  if (secret.space != Space::application) {
    if (secret.direction == Direction::send) {
      s.set_send_keys(secret.aead, secret.secret);
      if (sink_) sink_->handshake_progress({Milestone::handshake_keys, {}}, now);
    } else {
      s.set_receive_keys(secret.aead, secret.secret);
    }
    return;
  }
  (secret.direction == Direction::send ? send_secret_ : receive_secret_) = secret.secret;
  if (!send_secret_ || !receive_secret_) return;
  s.header_send.emplace(secret.aead, *send_secret_);
  s.header_receive.emplace(secret.aead, *receive_secret_);
  one_rtt_.emplace(secret.aead, *receive_secret_, std::move(*send_secret_));
  receive_secret_.reset();
  send_secret_.reset();
  if (sink_) sink_->handshake_progress({Milestone::one_rtt_keys, {}}, now);
}

// RFC 9000 §7.3: the IDs in the parameters prove that nobody exchanged the packets on their way.
Result<void> Connection::accept_parameters(Bytes raw, TimePoint now) {
  const auto decoded = decode_transport_parameters(raw, other(side_));
  if (!decoded) return std::unexpected(decoded.error());
  const TransportParameters& p = *decoded;
  if (!p.initial_source_connection_id) return parameter_error("no initial_source_connection_id");
  if (*p.initial_source_connection_id != remote_ids_.current()) {
    return parameter_error("initial_source_connection_id is not the ID of the packets");
  }
  if (side_ == Side::client) {
    if (!p.original_destination_connection_id)
      return parameter_error("no original_destination_connection_id");
    if (*p.original_destination_connection_id != original_destination_) {
      return parameter_error("original_destination_connection_id is not ours");
    }
    if (p.retry_source_connection_id != retry_source_) {
      return parameter_error("retry_source_connection_id does not match the Retry");
    }
    if (p.stateless_reset_token) remote_ids_.set_first_reset_token(*p.stateless_reset_token);
  }
  peer_ = p;
  if (sink_) sink_->parameters_set({.is_local = false, .parameters = &p}, now);
  idle_.set_peer_timeout(p.max_idle_timeout);
  recovery_.set_peer_max_ack_delay(p.max_ack_delay);
  recovery_.limit_datagram_size(std::min<ByteCount>(p.max_udp_payload_size, config_.max_datagram_size), now);
  streams_.set_peer_limits(p, events_);
  return {};
}

void Connection::on_handshake_complete(TimePoint now) {
  handshake_complete_ = true;
  handshake_deadline_.reset();
  keys_changed_ = true;  // held 1-RTT packets may be opened now (RFC 9001 §5.7)
  const std::string alpn = handshake_->alpn();
  if (sink_) sink_->handshake_progress({Milestone::complete, alpn}, now);
  events_.push_back(HandshakeComplete{alpn});
  if (side_ == Side::server) {
    handshake_done_wanted_ = true;
    confirm_handshake(now);
  }
}

void Connection::confirm_handshake(TimePoint now) {
  if (handshake_confirmed_) return;
  handshake_confirmed_ = true;
  discard(Space::handshake, now);
  handshake_->release();
  if (sink_) sink_->handshake_progress({Milestone::confirmed, {}}, now);
  events_.push_back(HandshakeConfirmed{});
  pmtud_.start(recovery_.max_datagram_size(),
               std::min<ByteCount>(config_.search_mtu_up_to, peer_->max_udp_payload_size));
  update_handshake_facts(now);
}

void Connection::discard(Space s, TimePoint now) {
  if (space(s).discarded) return;
  space(s).discard();
  recovery_.discard_space(s, now);
}

void Connection::update_handshake_facts(TimePoint now) {
  recovery_.set_handshake_facts(
      {.has_handshake_keys = space(Space::handshake).can_send(),
       .is_confirmed = handshake_confirmed_,
       .peer_validated_address = side_ == Side::server || heard_handshake_ack_ || handshake_confirmed_,
       .is_amplification_limited = amplification_limited_},
      now);
}

}  // namespace quell
