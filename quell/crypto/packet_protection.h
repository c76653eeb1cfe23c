// How is a whole packet protected and unprotected, header included? (RFC 9001 §5.3, §5.4)
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>

#include "quell/base/units.h"
#include "quell/crypto/aead.h"
#include "quell/crypto/hkdf.h"

namespace quell {

// AEAD key and IV of one direction and one key phase.
class PacketKey {
 public:
  PacketKey(AeadKind kind, const Secret& secret, const CryptoEngine& engine = default_engine());

  AeadKind kind() const { return kind_; }
  // `packet` is header and plaintext, with 16 bytes of room for the tag behind; `header_size` includes the
  // packet number.
  void seal(PacketNumber number, MutableBytes packet, std::size_t header_size);
  // `packet` is header (already unprotected) and ciphertext with tag. False: not authentic.
  [[nodiscard]] bool open(PacketNumber number, MutableBytes packet, std::size_t header_size);

 private:
  Nonce nonce_for(PacketNumber number) const;
  AeadKind kind_;
  Nonce iv_{};
  std::unique_ptr<Aead> aead_;
};

// Header protection of one direction; it does not change with key updates (RFC 9001 §6).
class HeaderKey {
 public:
  HeaderKey(AeadKind kind, const Secret& secret, const CryptoEngine& engine = default_engine());

  // Masks the first byte and the packet number of a sealed packet. The packet is long enough to be sampled:
  // payload and packet number together have at least four bytes before the tag.
  void protect(MutableBytes packet, std::size_t packet_number_offset, std::size_t packet_number_size);

  struct Unprotected {
    std::uint64_t truncated_number = 0;
    std::size_t number_size = 0;
  };
  // Unmasks in place. Nothing when the packet is too short to be sampled.
  std::optional<Unprotected> unprotect(MutableBytes packet, std::size_t packet_number_offset);

 private:
  std::unique_ptr<HeaderProtector> protector_;
};

// RFC 9001 §5.8: the tag of a Retry packet without its tag, for the client's first Destination Connection ID.
std::array<std::uint8_t, 16> retry_integrity_tag(Bytes retry_without_tag, Bytes original_destination);

}  // namespace quell
