// How do secrets become keys? HKDF-Expand-Label (RFC 8446 §7.1) and HKDF-Extract over SHA-256 or SHA-384.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "quell/base/units.h"
#include "quell/crypto/aead.h"

namespace quell {

enum class HashKind : std::uint8_t { sha256, sha384 };
constexpr HashKind hash_of(AeadKind kind) {
  return kind == AeadKind::aes_256_gcm ? HashKind::sha384 : HashKind::sha256;
}

using Secret = std::vector<std::uint8_t>;

Secret hkdf_extract(HashKind hash, Bytes salt, Bytes input);
// `label` without the "tls13 " prefix; empty context.
Secret hkdf_expand_label(HashKind hash, Bytes secret, std::string_view label, std::size_t size);

}  // namespace quell
