// What protects packets on a machine without Intel's instructions? GnuTLS, which works everywhere.
#pragma once

#include "quell/crypto/aead.h"

namespace quell {

const CryptoEngine& gnutls_engine();

// ChaCha20 in counter mode over zeros (RFC 9001 §5.4.4). Other engines borrow it: for one block no library of
// ours is faster.
std::unique_ptr<HeaderProtector> make_gnutls_chacha20_protector(Bytes key);

}  // namespace quell
