// How does a server know an address that it has seen before, without remembering it? By tokens that only it
// can make (RFC 9000 §8.1), and stateless reset tokens derived from connection IDs (§10.3.2).
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "quell/base/address.h"
#include "quell/base/time.h"
#include "quell/crypto/random.h"
#include "quell/wire/connection_id.h"

namespace quell {

// AES-128-GCM under a random key of this process; the address and port are authenticated, not stored.
class TokenKey {
 public:
  explicit TokenKey(Random& random);

  // A Retry token remembers the client's first Destination Connection ID and when it was made.
  std::vector<std::uint8_t> make_retry_token(const Address& client, const ConnectionId& original_destination,
                                             const ConnectionId& retry_source, TimePoint now,
                                             Random& random) const;
  struct RetryToken {
    ConnectionId original_destination;
    ConnectionId retry_source;
  };
  // Nothing for a token that is not ours, is for another address, or is older than `lifetime`.
  std::optional<RetryToken> open_retry_token(Bytes token, const Address& client, Duration lifetime,
                                             TimePoint now) const;

  // HMAC-SHA256 of the ID, first 16 bytes.
  StatelessResetToken reset_token(const ConnectionId& id) const;

 private:
  std::array<std::uint8_t, 16> aead_key_{};
  std::array<std::uint8_t, 32> reset_key_{};
};

}  // namespace quell
