// Where does one TLS handshake message end and the next begin? (RFC 8446 §4)
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "quell/base/units.h"
#include "quell/wire/error.h"

namespace quell {

// Type and a length of three bytes.
inline constexpr std::size_t kTlsMessageHeaderSize = 4;

// Cuts CRYPTO data into whole messages, so that none is ever taken in pieces across two encryption levels.
class TlsMessageCutter {
 public:
  // Messages above `limit` bytes are refused.
  explicit TlsMessageCutter(std::size_t limit) : limit_(limit) {}

  // Takes bytes from the front of `data` until a message is whole; nothing when they did not suffice. The
  // message is valid until the next call.
  Result<std::optional<Bytes>> next(Bytes& data);

 private:
  void take(Bytes& data, std::size_t wanted_size);

  std::size_t limit_;
  std::vector<std::uint8_t> message_;
  bool handed_out_ = false;
};

// Reads past what may come after the handshake. Memory stays constant, however large the messages are.
class PostHandshakeSkipper {
 public:
  // A client ignores NewSessionTicket; all else is an error (RFC 9001 §4.4, §6).
  Result<void> skip(Bytes data);

 private:
  std::size_t header_bytes_seen_ = 0;
  std::uint64_t body_left_ = 0;
};

}  // namespace quell
