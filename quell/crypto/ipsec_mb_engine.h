// What protects packets fastest? Intel's multi-buffer library, where the processor has its instructions.
#pragma once

#include "quell/crypto/aead.h"

namespace quell {

// Null where quell was built without the library or the processor lacks AES-NI and carry-less multiplication.
const CryptoEngine* ipsec_mb_engine();

}  // namespace quell
