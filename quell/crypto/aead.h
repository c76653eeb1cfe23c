// How is a packet's payload sealed and opened? One narrow interface, engines behind it (RFC 9001 §5.3).
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "quell/base/units.h"

namespace quell {

enum class AeadKind : std::uint8_t { aes_128_gcm, aes_256_gcm, chacha20_poly1305 };
inline constexpr std::size_t kAeadTagSize = 16;
inline constexpr std::size_t kAeadNonceSize = 12;
constexpr std::size_t key_size(AeadKind kind) {
  return kind == AeadKind::aes_128_gcm ? 16 : 32;
}
// RFC 9001 §6.6: packets that one key may protect, and failed openings that one connection may see.
constexpr std::uint64_t confidentiality_limit(AeadKind kind) {
  return kind == AeadKind::chacha20_poly1305 ? std::uint64_t{1} << 62 : std::uint64_t{1} << 23;
}
constexpr std::uint64_t integrity_limit(AeadKind kind) {
  return kind == AeadKind::chacha20_poly1305 ? std::uint64_t{1} << 36 : std::uint64_t{1} << 52;
}
std::string_view to_string(AeadKind kind);

using Nonce = std::array<std::uint8_t, kAeadNonceSize>;
// First five bytes are used (RFC 9001 §5.4.1).
using HeaderMask = std::array<std::uint8_t, 16>;

// One direction's packet key. Not thread-safe.
class Aead {
 public:
  virtual ~Aead() = default;
  // Encrypts in place: `buffer` is the plaintext followed by 16 bytes of room for the tag.
  virtual void seal(const Nonce& nonce, Bytes aad, MutableBytes buffer) = 0;
  // Decrypts in place: `buffer` is ciphertext and tag. False: not authentic; the plaintext must not be used.
  [[nodiscard]] virtual bool open(const Nonce& nonce, Bytes aad, MutableBytes buffer) = 0;
};

// One direction's header protection key (RFC 9001 §5.4.3, §5.4.4).
class HeaderProtector {
 public:
  virtual ~HeaderProtector() = default;
  // `sample` is 16 bytes.
  virtual HeaderMask mask(Bytes sample) = 0;
};

// A source of both, chosen at run time: Intel's multi-buffer library where the CPU has it, GnuTLS everywhere.
class CryptoEngine {
 public:
  virtual ~CryptoEngine() = default;
  virtual std::string_view name() const = 0;
  // `key` has key_size(kind) bytes. Never null for engines in available_engines().
  virtual std::unique_ptr<Aead> make_aead(AeadKind kind, Bytes key) const = 0;
  virtual std::unique_ptr<HeaderProtector> make_header_protector(AeadKind kind, Bytes key) const = 0;
};

// The fastest engine of this machine.
const CryptoEngine& default_engine();
// All engines that work here, fastest first: tests run every one.
std::vector<const CryptoEngine*> available_engines();

}  // namespace quell
