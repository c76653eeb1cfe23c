#include "quell/connection/connection.h"

#include <algorithm>
#include <utility>

#include "quell/base/check.h"
#include "quell/base/rng.h"
#include "quell/cc/registry.h"

namespace quell {
namespace {

constexpr std::uint8_t kAckDelayExponent = 3;

// `chance`: any random number; what the wire shows of it tells nobody how a controller will decide.
cc::ControllerPtr make_controller(const ConnectionConfig& config, std::uint64_t chance) {
  const cc::Entry* entry = cc::find(config.controller);
  QUELL_CHECK(entry != nullptr);
  return entry->make({.max_datagram_size = config.max_datagram_size,
                      .initial_window = config.initial_window,
                      .is_paced = config.pacing,
                      .fixed_window = config.fixed_window,
                      .fixed_rate = config.fixed_rate,
                      .seed = Rng{chance}.fork("controller").next()});
}

RecoveryConfig recovery_config(const ConnectionConfig& config, std::uint64_t chance) {
  return {.initial_rtt = config.initial_rtt,
          .max_datagram_size = config.max_datagram_size,
          .ecn = config.ecn,
          .pacing = config.pacing,
          .skips = Rng{chance}.fork("skips")};
}

}  // namespace

Connection::Connection(Setup setup, TimePoint now)
    : side_(setup.side),
      config_(std::move(setup.config)),
      server_name_(std::move(setup.server_name)),
      sink_(std::move(setup.sink)),
      original_destination_(setup.original_destination),
      retry_source_(setup.retry_source),
      handshake_local_id_(setup.local_id),
      local_ids_(setup.local_id),
      remote_ids_(setup.remote_id),
      paths_(side_, setup.local, setup.remote, setup.is_address_validated),
      spaces_{PacketSpace{Duration{0}, kAckDelayExponent}, PacketSpace{Duration{0}, kAckDelayExponent},
              PacketSpace{config_.max_ack_delay, kAckDelayExponent}},
      recovery_(side_, recovery_config(config_, setup.grease), make_controller(config_, setup.grease),
                sink_.get()),
      streams_(side_, config_),
      idle_(config_.idle_timeout, now) {
  QUELL_CHECK(config_.max_datagram_size >= kMinInitialDatagram);
  QUELL_CHECK(!config_.alpn.empty());
  if (sink_) {
    sink_->connection_started({.side = side_,
                               .local = paths_.local(),
                               .remote = paths_.remote(),
                               .original_destination = original_destination_,
                               .source = setup.local_id,
                               .destination = setup.remote_id,
                               .controller = config_.controller},
                              now);
  }
  if (config_.handshake_timeout.count() > 0) handshake_deadline_ = now + config_.handshake_timeout;
  install_initial_keys(retry_source_.value_or(original_destination_));
  start_handshake(std::move(setup.credentials), setup.grease, setup.reset_token, now);
  update_handshake_facts(now);
}

std::size_t Connection::ids_wanted() const {
  if (!handshake_complete_ || !peer_ || !closing_.is_open()) return 0;
  return local_ids_.wanted(peer_->active_connection_id_limit);
}

void Connection::close(std::uint64_t error_code, std::string reason, TimePoint now) {
  if (!closing_.is_open()) return;
  closing_.close(true, error_code, 0, reason, now + closing_time());
  end({.cause = ConnectionEnded::Cause::local_close,
       .is_application_code = true,
       .error_code = error_code,
       .reason = std::move(reason)},
      "clean", now);
}

void Connection::on_unreachable(TimePoint now) {
  // Once the handshake is done an ICMP message is too easily forged to end anything (RFC 9000 §14.2.1).
  if (!closing_.is_open() || has_received_packet_) return;
  vanish(ConnectionEnded::Cause::unreachable, "the peer's host refused the datagram", "unreachable", now);
}

bool Connection::update_keys(TimePoint now) {
  if (!one_rtt_ || !handshake_confirmed_ || !closing_.is_open()) return false;
  if (!one_rtt_->may_update(recovery_.largest_acked(Space::application), now, recovery_.pto())) return false;
  one_rtt_->update(now);
  if (sink_) sink_->key_updated({.generation = one_rtt_->generation(), .is_remote_initiated = false}, now);
  return true;
}

// Choice: by ourselves at half of what the AEAD allows (RFC 9001 §6.6), which leaves the peer's confirmation
// all the time it needs.
void Connection::update_keys_when_due(TimePoint now) {
  if (!one_rtt_) return;
  const std::uint64_t due = config_.key_update_after_packets > 0 ? config_.key_update_after_packets
                                                                 : one_rtt_->confidentiality_limit() / 2;
  if (one_rtt_->sealed() >= due) update_keys(now);
  if (one_rtt_->sealed() >= one_rtt_->confidentiality_limit()) {
    fail_with(
        {TransportError::aead_limit_reached, "the key may seal no more and the peer lets us take no other"},
        now);
  }
}

ConnectionStats Connection::stats(TimePoint now) const {
  return {.recovery = recovery_.stats(),
          .packets_received = packets_received_,
          .bytes_received = bytes_received_,
          .stream_bytes_sent = streams_.bytes_sent(),
          .stream_bytes_received = streams_.bytes_consumed(),
          .packets_dropped = packets_dropped_,
          .key_updates = one_rtt_ ? one_rtt_->generation() : 0,
          .min_rtt = recovery_.rtt().min(),
          .smoothed_rtt = recovery_.rtt().smoothed(),
          .cwnd = recovery_.cwnd(),
          .bytes_in_flight = recovery_.bytes_in_flight(),
          .growth_clock = recovery_.growth_clock(now)};
}

}  // namespace quell
