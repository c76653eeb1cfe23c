#include "quell/crypto/aead.h"

#include "quell/crypto/gnutls_engine.h"
#include "quell/crypto/ipsec_mb_engine.h"

namespace quell {

std::string_view to_string(AeadKind kind) {
  switch (kind) {
    case AeadKind::aes_128_gcm:
      return "AES-128-GCM";
    case AeadKind::aes_256_gcm:
      return "AES-256-GCM";
    case AeadKind::chacha20_poly1305:
      return "ChaCha20-Poly1305";
  }
  return "unknown AEAD";
}

std::vector<const CryptoEngine*> available_engines() {
  std::vector<const CryptoEngine*> engines;
  if (const CryptoEngine* fast = ipsec_mb_engine()) engines.push_back(fast);
  engines.push_back(&gnutls_engine());
  return engines;
}

const CryptoEngine& default_engine() {
  static const CryptoEngine* const fastest = available_engines().front();
  return *fastest;
}

}  // namespace quell
