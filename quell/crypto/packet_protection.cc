#include "quell/crypto/packet_protection.h"

#include <algorithm>
#include <vector>

#include "quell/base/check.h"

namespace quell {
namespace {

constexpr std::size_t kSampleSize = 16;
// The sample is taken as if the packet number were this long (RFC 9001 §5.4.2).
constexpr std::size_t kSampledNumberSize = 4;

// RFC 9001 §5.8.
constexpr std::array<std::uint8_t, 16> kRetryKey{0xbe, 0x0c, 0x69, 0x0b, 0x9f, 0x66, 0x57, 0x5a,
                                                 0x1d, 0x76, 0x6b, 0x54, 0xe3, 0x68, 0xc8, 0x4e};
constexpr Nonce kRetryNonce{0x46, 0x15, 0x99, 0xd3, 0x5d, 0x63, 0x2b, 0xf2, 0x23, 0x98, 0x25, 0xbb};

// Four bits of a long header's first byte are protected, five of a short one's (RFC 9001 §5.4.1).
void mask_first_byte(std::uint8_t& first_byte, std::uint8_t mask) {
  const unsigned protected_bits = (first_byte & 0x80U) != 0 ? 0x0f : 0x1f;
  first_byte = static_cast<std::uint8_t>(first_byte ^ (mask & protected_bits));
}

Bytes sample_of(Bytes packet, std::size_t packet_number_offset) {
  return packet.subspan(packet_number_offset + kSampledNumberSize, kSampleSize);
}

}  // namespace

PacketKey::PacketKey(AeadKind kind, const Secret& secret, const CryptoEngine& engine) : kind_(kind) {
  const HashKind hash = hash_of(kind);
  const Secret iv = hkdf_expand_label(hash, secret, "quic iv", iv_.size());
  std::copy(iv.begin(), iv.end(), iv_.begin());
  aead_ = engine.make_aead(kind, hkdf_expand_label(hash, secret, "quic key", key_size(kind)));
}

void PacketKey::seal(PacketNumber number, MutableBytes packet, std::size_t header_size) {
  aead_->seal(nonce_for(number), packet.first(header_size), packet.subspan(header_size));
}

bool PacketKey::open(PacketNumber number, MutableBytes packet, std::size_t header_size) {
  return aead_->open(nonce_for(number), packet.first(header_size), packet.subspan(header_size));
}

// The packet number in network order, padded on the left to the IV's size, exclusive-or the IV (RFC 9001
// §5.3).
Nonce PacketKey::nonce_for(PacketNumber number) const {
  Nonce nonce = iv_;
  for (std::size_t i = 0; i < sizeof number; ++i) {
    nonce[nonce.size() - 1 - i] ^= static_cast<std::uint8_t>(number >> (8 * i));
  }
  return nonce;
}

HeaderKey::HeaderKey(AeadKind kind, const Secret& secret, const CryptoEngine& engine)
    : protector_(engine.make_header_protector(
          kind, hkdf_expand_label(hash_of(kind), secret, "quic hp", key_size(kind)))) {}

void HeaderKey::protect(MutableBytes packet, std::size_t packet_number_offset,
                        std::size_t packet_number_size) {
  QUELL_CHECK(packet_number_size >= 1);
  QUELL_CHECK(packet_number_size <= kSampledNumberSize);
  QUELL_CHECK(packet.size() >= packet_number_offset + kSampledNumberSize + kSampleSize);
  const HeaderMask mask = protector_->mask(sample_of(packet, packet_number_offset));
  mask_first_byte(packet[0], mask[0]);
  for (std::size_t i = 0; i < packet_number_size; ++i) packet[packet_number_offset + i] ^= mask[1 + i];
}

std::optional<HeaderKey::Unprotected> HeaderKey::unprotect(MutableBytes packet,
                                                           std::size_t packet_number_offset) {
  if (packet.size() < packet_number_offset + kSampledNumberSize + kSampleSize) return std::nullopt;
  const HeaderMask mask = protector_->mask(sample_of(packet, packet_number_offset));
  mask_first_byte(packet[0], mask[0]);
  Unprotected result{.truncated_number = 0, .number_size = (packet[0] & 0x03U) + 1U};
  for (std::size_t i = 0; i < result.number_size; ++i) {
    packet[packet_number_offset + i] ^= mask[1 + i];
    result.truncated_number = result.truncated_number << 8 | packet[packet_number_offset + i];
  }
  return result;
}

std::array<std::uint8_t, 16> retry_integrity_tag(Bytes retry_without_tag, Bytes original_destination) {
  QUELL_CHECK(original_destination.size() <= 255);
  std::vector<std::uint8_t> pseudo_packet;
  pseudo_packet.reserve(1 + original_destination.size() + retry_without_tag.size());
  pseudo_packet.push_back(static_cast<std::uint8_t>(original_destination.size()));
  pseudo_packet.insert(pseudo_packet.end(), original_destination.begin(), original_destination.end());
  pseudo_packet.insert(pseudo_packet.end(), retry_without_tag.begin(), retry_without_tag.end());

  std::array<std::uint8_t, 16> tag{};  // the plaintext is empty: all that is sealed is the tag
  default_engine().make_aead(AeadKind::aes_128_gcm, kRetryKey)->seal(kRetryNonce, pseudo_packet, tag);
  return tag;
}

}  // namespace quell
