// How is a certificate made on the spot? Self-signed, with a key of its own, of a size that never changes.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "quell/crypto/gnutls_credentials.h"

namespace quell {

struct CertificateRecipe {
  KeyAlgorithm algorithm = KeyAlgorithm::ed25519;
  // Seconds since 1970, before 2050, so that both dates take equally many bytes.
  std::int64_t valid_from = 0;
  std::int64_t valid_until = 0;
  std::vector<std::string> dns_names;
  // 4 or 16 bytes each, in network order.
  std::vector<std::vector<std::uint8_t>> ip_addresses;
};

// For one algorithm and one set of names all certificates have the same size when the algorithm is Ed25519;
// ECDSA signatures vary by some bytes.
PemPair make_certificate(const CertificateRecipe& recipe);

}  // namespace quell
