// PIPELINE IN: a datagram comes, what does it change? Per coalesced packet: find keys, open in place, read
// frames, hand each to the part that owns it.
#include <algorithm>
#include <array>
#include <utility>

#include "quell/base/reader.h"
#include "quell/connection/connection.h"
#include "quell/crypto/keys.h"
#include "quell/wire/frame_reader.h"
#include "quell/wire/packet_number.h"

namespace quell {
namespace {

using trace::DropReason;

// RFC 9000 §17.2, §17.3.1: reserved bits, which must be zero below the header protection.
constexpr std::uint8_t reserved_bits(PacketType type) {
  return type == PacketType::one_rtt ? 0x18 : 0x0c;
}
constexpr std::uint8_t kKeyPhaseBit = 0x04;
constexpr std::size_t kResetTokenSize = std::tuple_size_v<StatelessResetToken>;
constexpr std::size_t kLeastResetSize = 21;  // RFC 9000 §10.3

// Initials that are dropped whatever they hold: a client's in a small datagram (RFC 9000 §14.1), a server's
// with a token (§17.2.2).
bool is_forbidden_initial(const ProtectedPacket& packet, Side receiver, std::size_t datagram_size) {
  if (packet.type != PacketType::initial) return false;
  return receiver == Side::server ? datagram_size < kMinInitialDatagram : !packet.token.empty();
}

}  // namespace

void Connection::receive(MutableBytes datagram, Ecn ecn, TimePoint now) {
  paths_.on_received(datagram.size());
  bytes_received_ += datagram.size();
  amplification_limited_ = false;
  if (!closing_.is_open()) return closing_.on_packet_while_closing();

  // Opening works in place and may spoil the last bytes; they are what tells a stateless reset.
  std::array<std::uint8_t, kResetTokenSize> tail{};
  const bool may_be_reset = datagram.size() >= kLeastResetSize && (datagram[0] & 0x80) == 0;
  if (may_be_reset) std::ranges::copy(datagram.last(kResetTokenSize), tail.begin());
  const std::uint64_t opened_before = packets_received_;

  const std::size_t local_id_size = handshake_local_id_.size();
  std::optional<ConnectionId> first_destination;
  for (MutableBytes rest = datagram; !rest.empty() && closing_.is_open();) {
    const auto packet = parse_packet(rest, local_id_size);
    if (!packet) {
      drop({}, rest.size(), DropReason::malformed, now);
      break;
    }
    // RFC 9000 §12.2: all packets of a datagram are for the same connection.
    if (first_destination && packet->destination != *first_destination) {
      drop(packet->type, rest.size(), DropReason::unknown_connection, now);
      break;
    }
    first_destination = packet->destination;
    if (is_forbidden_initial(*packet, side_, datagram.size())) {
      drop(packet->type, packet->size, DropReason::invalid, now);
    } else {
      receive_packet(*packet, rest.first(packet->size), ecn, now);
    }
    rest = rest.subspan(packet->size);
  }
  if (may_be_reset && packets_received_ == opened_before && is_stateless_reset(tail)) {
    return vanish(ConnectionEnded::Cause::stateless_reset, "the peer has forgotten the connection",
                  "stateless_reset", now);
  }
  if (keys_changed_) replay_held(now);
  update_handshake_facts(now);
}

void Connection::receive_packet(const ProtectedPacket& packet, MutableBytes bytes, Ecn ecn, TimePoint now) {
  if (packet.type == PacketType::version_negotiation) return on_version_negotiation(packet, now);
  if (packet.is_unknown_version) return drop(packet.type, bytes.size(), DropReason::unknown_version, now);
  if (packet.type == PacketType::retry) return on_retry(packet, bytes, now);
  if (packet.type == PacketType::zero_rtt)
    return drop(packet.type, bytes.size(), DropReason::keys_unavailable, now);

  const Space s = space_of(packet.type);
  if (space(s).discarded) {
    // A client that still sends Handshake packets has not heard that it may stop.
    if (s == Space::handshake && handshake_confirmed_ && !handshake_done_acked_) {
      if (side_ == Side::server) {
        if (handshake_done_wanted_)
          recovery_.owe_probe(Space::application);  // the first answer is still here
        handshake_done_wanted_ = true;
        recovery_.owe_probe(Space::application);
      }
    }
    return drop(packet.type, bytes.size(), DropReason::keys_unavailable, now);
  }
  // A server opens no 1-RTT packets before the handshake is complete (RFC 9001 §5.7).
  if (!space(s).can_receive() || (s == Space::application && !handshake_complete_)) {
    return hold(packet, bytes, ecn);
  }
  const auto opened = open_packet(packet, bytes, now);
  if (!opened) return fail_with(opened.error(), now);
  if (!*opened) return;
  if (auto done = on_packet(packet, **opened, ecn, now); !done) fail_with(done.error(), now);
}

Result<std::optional<Connection::Opened>> Connection::open_packet(const ProtectedPacket& packet,
                                                                  MutableBytes bytes, TimePoint now) {
  const Space s = space_of(packet.type);
  PacketSpace& in = space(s);
  const auto unprotected = in.header_receive->unprotect(bytes, packet.packet_number_offset);
  if (!unprotected) {
    drop(packet.type, bytes.size(), DropReason::malformed, now);
    return std::nullopt;
  }
  const PacketNumber number = decode_packet_number(unprotected->truncated_number, unprotected->number_size,
                                                   in.acks.largest_received());
  const std::size_t header_size = packet.packet_number_offset + unprotected->number_size;
  const auto authentic = authenticate(s, number, bytes, header_size, now);
  if (!authentic) return std::unexpected(authentic.error());
  if (!*authentic) {
    drop(packet.type, bytes.size(), DropReason::decryption_failure, now);
    return std::nullopt;
  }
  if (in.acks.is_duplicate(number)) {
    drop(packet.type, bytes.size(), DropReason::duplicate, now);
    return std::nullopt;
  }
  if ((bytes[0] & reserved_bits(packet.type)) != 0) {
    return fail(TransportError::protocol_violation, "reserved header bits are set");
  }
  const Bytes payload = bytes.subspan(header_size, bytes.size() - header_size - kAeadTagSize);
  return Opened{number, payload, (bytes[0] & kKeyPhaseBit) != 0};
}

Result<bool> Connection::authenticate(Space s, PacketNumber number, MutableBytes bytes,
                                      std::size_t header_size, TimePoint now) {
  if (s != Space::application) return space(s).packet_receive->open(number, bytes, header_size);
  one_rtt_->forget_previous(now, recovery_.pto());
  const auto opened = one_rtt_->open(number, (bytes[0] & kKeyPhaseBit) != 0, bytes, header_size, now);
  if (!opened) return std::unexpected(opened.error());
  if (opened->did_update && sink_) {
    sink_->key_updated({.generation = one_rtt_->generation(), .is_remote_initiated = true}, now);
  }
  return opened->authentic;
}

Result<void> Connection::on_packet(const ProtectedPacket& packet, const Opened& opened, Ecn ecn,
                                   TimePoint now) {
  const Space s = space_of(packet.type);
  ++packets_received_;
  if (sink_) {
    sink_->packet_received({.type = packet.type,
                            .number = opened.number,
                            .size = packet.size,
                            .payload = opened.payload,
                            .destination = packet.destination,
                            .source = packet.source,
                            .ecn = ecn,
                            .key_phase = opened.key_phase},
                           now);
  }
  if (opened.payload.empty()) return fail(TransportError::protocol_violation, "a packet without frames");
  // RFC 9000 §7.2: the server's first packet names the ID to use from now on; later handshake packets of
  // either side may not change it.
  if (side_ == Side::client && packet.type == PacketType::initial && !has_received_packet_) {
    remote_ids_.replace_first(packet.source);
  }
  const bool has_source = packet.type != PacketType::one_rtt;
  if (has_source && !handshake_complete_ && packet.source != remote_ids_.current()) {
    drop(packet.type, packet.size, DropReason::invalid, now);
    return {};
  }
  has_received_packet_ = true;
  if (side_ == Side::server && packet.type == PacketType::handshake) {
    paths_.validate();             // §8.1: only the owner of the address can have the keys
    discard(Space::initial, now);  // RFC 9001 §4.9.1
  }
  const bool is_behind_gap =
      opened.number != space(s).acks.largest_received().value_or(PacketNumber{0} - 1) + 1;
  bool ack_eliciting = false;
  auto read = on_frames(packet, opened.payload, ack_eliciting, now);
  // Some stacks begin their Initials at one, and a Retry leaves a gap of one: neither is a loss.
  const bool shows_loss =
      is_behind_gap && (s == Space::handshake || (s == Space::initial && opened.number > 1));
  if (shows_loss && ack_eliciting) answer_twice();
  if (!space(s).discarded) space(s).acks.on_received(opened.number, ack_eliciting, ecn, now);
  idle_.on_received(now);
  return read;
}

// Choice: handshake packets are few; when one is missing the path loses packets, and the answer (a server's
// flight, Finished, HANDSHAKE_DONE) leaves in two datagrams rather than wait for a PTO.
void Connection::answer_twice() {
  const auto answer =
      std::ranges::find_if(kSpaces, [this](Space s) { return space(s).can_send() && has_data(s); });
  if (answer == kSpaces.end()) return;
  recovery_.owe_probe(*answer);
  recovery_.owe_probe(*answer);
}

Result<void> Connection::on_frames(const ProtectedPacket& packet, Bytes payload, bool& ack_eliciting,
                                   TimePoint now) {
  Reader reader{payload};
  while (!reader.empty()) {
    const auto frame = read_frame(reader, packet.type);
    if (!frame) return std::unexpected(frame.error());
    ack_eliciting |= is_ack_eliciting(*frame);
    if (auto done = on_frame(*frame, packet, now); !done) return done;
    if (!closing_.is_open()) return {};
  }
  return {};
}

Result<void> Connection::on_frame(const Frame& frame, const ProtectedPacket& packet, TimePoint now) {
  const Space s = space_of(packet.type);
  if (const auto* stream = std::get_if<StreamFrame>(&frame)) return streams_.on_frame(*stream, events_);
  if (const auto* ack = std::get_if<AckFrame>(&frame)) return on_ack_frame(*ack, s, now);
  if (const auto* crypto = std::get_if<CryptoFrame>(&frame)) return on_crypto_frame(*crypto, s, now);
  return std::visit(
      [&]<typename T>(const T& f) -> Result<void> {
        if constexpr (requires { streams_.on_frame(f, events_); }) {
          return streams_.on_frame(f, events_);
        } else if constexpr (std::is_same_v<T, NewConnectionIdFrame>) {
          return remote_ids_.on_new(f);
        } else if constexpr (std::is_same_v<T, RetireConnectionIdFrame>) {
          return local_ids_.on_retire(f, packet.destination);
        } else if constexpr (std::is_same_v<T, PathChallengeFrame>) {
          paths_.on_challenge(f);
        } else if constexpr (std::is_same_v<T, PathResponseFrame>) {
          // We never challenge yet: RFC 9000 §19.18 lets us say so.
          return fail(TransportError::protocol_violation, "a path response without a challenge",
                      static_cast<std::uint64_t>(FrameType::path_response));
        } else if constexpr (std::is_same_v<T, NewTokenFrame>) {
          if (side_ == Side::server) {
            return fail(TransportError::protocol_violation, "a token from a client",
                        static_cast<std::uint64_t>(FrameType::new_token));
          }
        } else if constexpr (std::is_same_v<T, HandshakeDoneFrame>) {
          if (side_ == Side::server) {
            return fail(TransportError::protocol_violation, "HANDSHAKE_DONE from a client",
                        static_cast<std::uint64_t>(FrameType::handshake_done));
          }
          confirm_handshake(now);
        } else if constexpr (std::is_same_v<T, ConnectionCloseFrame>) {
          closing_.drain(now + closing_time());
          end({.cause = ConnectionEnded::Cause::peer_close,
               .is_application_code = f.is_application,
               .error_code = f.error_code,
               .reason = std::string(f.reason.begin(), f.reason.end())},
              "peer", now);
        }
        return {};
      },
      frame);
}

Result<void> Connection::on_ack_frame(const AckFrame& frame, Space s, TimePoint now) {
  // RFC 9002 §5.3: Initial and Handshake packets are acknowledged at once, whatever the field says.
  Duration ack_delay{0};
  if (s == Space::application && peer_) {
    constexpr std::uint64_t kMost = std::uint64_t{1}
                                    << 40;  // µs; eleven days, keeps the shift from overflowing
    ack_delay = microseconds{std::min(frame.raw_delay, kMost >> peer_->ack_delay_exponent)
                             << peer_->ack_delay_exponent};
  }
  const auto outcome = recovery_.on_ack(s, frame, ack_delay, now);
  if (!outcome) return std::unexpected(outcome.error());
  if (s == Space::handshake && side_ == Side::client) heard_handshake_ack_ = true;
  on_frames_acked(outcome->acked, s);
  on_frames_lost(outcome->lost, s);
  return {};
}

Result<void> Connection::on_crypto_frame(const CryptoFrame& frame, Space s, TimePoint now) {
  CryptoStream& crypto = space(s).crypto;
  const bool is_repeat = !frame.data.empty() && frame.offset + frame.data.size() <= crypto.read_offset();
  if (is_repeat && side_ == Side::server && s == Space::initial && !handshake_complete_) {
    // The client has not seen our answer (RFC 9002 §6.2.3): it need not wait for our timer. Every copy of its
    // ClientHello gets one.
    if (has_data(Space::initial)) recovery_.owe_probe(Space::initial);  // the first answer is still here
    recovery_.owe_probe(Space::initial);
    return {};
  }
  if (auto taken = crypto.on_frame(frame); !taken) return taken;
  while (true) {
    const Bytes data = crypto.readable();
    if (data.empty()) return {};
    const std::size_t size = data.size();
    if (auto understood = handshake_->receive(s, data); !understood) return understood;
    crypto.consume(size);
    if (auto advanced = advance_handshake(now); !advanced) return advanced;
    if (space(s).discarded) return {};
  }
}

void Connection::hold(const ProtectedPacket& packet, Bytes bytes, Ecn ecn) {
  (void)packet;
  if (!held_.push({std::vector<std::uint8_t>(bytes.begin(), bytes.end()), ecn})) ++packets_dropped_;
}

void Connection::replay_held(TimePoint now) {
  keys_changed_ = false;
  for (std::size_t left = held_.size(); left > 0 && closing_.is_open(); --left) {
    Held held = held_.pop();
    const auto packet = parse_packet(held.bytes, handshake_local_id_.size());
    if (packet) receive_packet(*packet, held.bytes, held.ecn, now);
  }
}

void Connection::drop(std::optional<PacketType> type, std::size_t size, DropReason reason, TimePoint now) {
  ++packets_dropped_;
  if (sink_) sink_->packet_dropped({.type = type, .size = size, .reason = reason}, now);
}

bool Connection::is_stateless_reset(Bytes tail) const {
  return remote_ids_.matches_reset_token(tail);
}

bool Connection::receive_reset(Bytes datagram, TimePoint now) {
  if (datagram.size() < kLeastResetSize || !closing_.is_open()) return false;
  if (!is_stateless_reset(datagram.last(kResetTokenSize))) return false;
  vanish(ConnectionEnded::Cause::stateless_reset, "the peer has forgotten the connection", "stateless_reset",
         now);
  return true;
}

// RFC 9000 §6.2: only a client that has heard nothing else yet believes it, and only when its version is not
// in the list.
void Connection::on_version_negotiation(const ProtectedPacket& packet, TimePoint now) {
  const bool is_ours = side_ == Side::client && !has_received_packet_ && !retry_source_ &&
                       packet.source == original_destination_ && packet.destination == handshake_local_id_;
  Reader versions{packet.supported_versions};
  bool lists_our_version = false;
  while (versions.remaining() >= 4) lists_our_version |= versions.u32() == kVersion1;
  if (!is_ours || lists_our_version) {
    return drop(packet.type, packet.size, DropReason::unexpected, now);
  }
  vanish(ConnectionEnded::Cause::version_mismatch, "the server speaks no version of QUIC that we know",
         "version", now);
}

// RFC 9000 §17.2.5.2.
void Connection::on_retry(const ProtectedPacket& packet, Bytes bytes, TimePoint now) {
  const bool is_expected = side_ == Side::client && !has_received_packet_ && !retry_source_ &&
                           !packet.token.empty() && packet.source != original_destination_;
  if (!is_expected) return drop(packet.type, bytes.size(), DropReason::unexpected, now);
  const Bytes without_tag = bytes.first(bytes.size() - kAeadTagSize);
  const auto tag = retry_integrity_tag(without_tag, original_destination_.bytes());
  if (!std::ranges::equal(tag, bytes.last(kAeadTagSize))) {
    return drop(packet.type, bytes.size(), DropReason::decryption_failure, now);
  }
  retry_source_ = packet.source;
  token_.assign(packet.token.begin(), packet.token.end());
  remote_ids_.replace_first(packet.source);
  install_initial_keys(packet.source);
  on_frames_lost(recovery_.on_retry(now), Space::initial);
}

}  // namespace quell
