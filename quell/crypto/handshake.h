// What does the transport need of TLS 1.3? Bytes in and out per level, secrets, the peer's transport
// parameters (RFC 9001 §4).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "quell/base/units.h"
#include "quell/crypto/aead.h"
#include "quell/crypto/hkdf.h"
#include "quell/wire/error.h"
#include "quell/wire/types.h"

namespace quell {

enum class Direction : std::uint8_t { receive, send };

// Encryption levels that carry CRYPTO data map one to one to packet number spaces while 0-RTT is absent.
struct HandshakeSecret {
  Space space = Space::handshake;
  Direction direction = Direction::send;
  AeadKind aead = AeadKind::aes_128_gcm;
  Secret secret;
};
struct HandshakeBytes {
  Space space = Space::initial;
  std::vector<std::uint8_t> data;
};

// A TLS session of one connection. Pull-based: after `start` and every `receive` the transport drains the
// outputs, secrets first.
class Handshake {
 public:
  virtual ~Handshake() = default;

  // Client: makes the ClientHello. Server: nothing yet.
  virtual Result<void> start() = 0;
  // In-order CRYPTO data of one space. Errors: CRYPTO_ERROR with the TLS alert; a missing transport
  // parameters extension is alert 109, no common ALPN alert 120 (RFC 9001 §8.1, §8.2).
  virtual Result<void> receive(Space space, Bytes data) = 0;

  virtual std::optional<HandshakeSecret> poll_secret() = 0;
  virtual std::optional<HandshakeBytes> poll_bytes() = 0;

  // The TLS handshake is complete (RFC 9001 §4.1.1): Finished sent, peer's Finished verified.
  virtual bool is_complete() const = 0;
  // The peer's raw transport parameters, once; nothing before they arrive.
  virtual std::optional<std::vector<std::uint8_t>> take_peer_parameters() = 0;
  // Empty before it is agreed.
  virtual std::string alpn() const = 0;
  // Frees what is only needed during the handshake; called when it is confirmed. receive() after this gives
  // an error for anything but post-handshake messages that may be ignored (NewSessionTicket).
  virtual void release() = 0;
};

}  // namespace quell
