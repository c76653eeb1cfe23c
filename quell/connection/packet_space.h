// What belongs to one packet number space? Its keys, its acknowledgements, its TLS bytes (RFC 9000 §12.3).
#pragma once

#include <memory>
#include <optional>

#include "quell/connection/crypto_stream.h"
#include "quell/crypto/packet_protection.h"
#include "quell/recovery/ack_tracker.h"

namespace quell {

// Keys of an Initial or Handshake space, or the header keys of the 1-RTT space (whose packet keys are in
// OneRttKeys).
struct PacketSpace {
  explicit PacketSpace(Duration max_ack_delay, std::uint8_t ack_delay_exponent)
      : acks(max_ack_delay, ack_delay_exponent) {}

  bool can_send() const { return header_send.has_value() && !discarded; }
  bool can_receive() const { return header_receive.has_value() && !discarded; }
  void set_send_keys(AeadKind kind, const Secret& secret) {
    header_send.emplace(kind, secret);
    packet_send.emplace(kind, secret);
  }
  void set_receive_keys(AeadKind kind, const Secret& secret) {
    header_receive.emplace(kind, secret);
    packet_receive.emplace(kind, secret);
  }
  // Keys are never used again (RFC 9001 §4.9).
  void discard() {
    discarded = true;
    header_send.reset();
    header_receive.reset();
    packet_send.reset();
    packet_receive.reset();
  }

  AckTracker acks;
  CryptoStream crypto;
  std::optional<HeaderKey> header_send;
  std::optional<HeaderKey> header_receive;
  std::optional<PacketKey> packet_send;
  std::optional<PacketKey> packet_receive;
  bool discarded = false;
};

}  // namespace quell
