#include "quell/crypto/keys.h"

#include <array>

#include "quell/base/check.h"

namespace quell {
namespace {

// RFC 9001 §5.2.
constexpr std::array<std::uint8_t, 20> kInitialSaltVersion1{0x38, 0x76, 0x2c, 0xf7, 0xf5, 0x59, 0x34,
                                                            0xb3, 0x4d, 0x17, 0x9a, 0xe6, 0xa4, 0xc8,
                                                            0x0c, 0xad, 0xcc, 0xbb, 0x7f, 0x0a};
constexpr std::size_t kInitialSecretSize = 32;

}  // namespace

InitialSecrets initial_secrets(const ConnectionId& client_destination, std::uint32_t version) {
  QUELL_CHECK(version == kVersion1);
  const Secret initial = hkdf_extract(HashKind::sha256, kInitialSaltVersion1, client_destination.bytes());
  return {.client = hkdf_expand_label(HashKind::sha256, initial, "client in", kInitialSecretSize),
          .server = hkdf_expand_label(HashKind::sha256, initial, "server in", kInitialSecretSize)};
}

Secret next_secret(AeadKind kind, const Secret& secret) {
  return hkdf_expand_label(hash_of(kind), secret, "quic ku", secret.size());
}

}  // namespace quell
