#include "quell/crypto/packet_protection.h"

#include <gtest/gtest.h>

#include "quell/crypto/keys.h"
#include "quell/crypto/rfc9001_vectors.h"
#include "quell/crypto/test_support.h"

namespace quell {
namespace {

// RFC 9001 Appendix A, once for every engine.
class PacketProtection : public EveryEngine {
 protected:
  // Header and payload with room for the tag, sealed and header-protected.
  std::string protect(AeadKind kind, const Secret& secret, PacketNumber number, Bytes header, Bytes payload,
                      std::size_t number_size) const {
    std::vector<std::uint8_t> packet{header.begin(), header.end()};
    packet.insert(packet.end(), payload.begin(), payload.end());
    packet.resize(packet.size() + kAeadTagSize);
    PacketKey{kind, secret, engine()}.seal(number, packet, header.size());
    HeaderKey{kind, secret, engine()}.protect(packet, header.size() - number_size, number_size);
    return to_hex(packet);
  }

  struct Opened {
    std::string header;
    std::string payload;
    std::uint64_t truncated_number = 0;
  };
  std::optional<Opened> unprotect(AeadKind kind, const Secret& secret, PacketNumber number,
                                  std::vector<std::uint8_t> packet, std::size_t number_offset) const {
    const auto unmasked = HeaderKey{kind, secret, engine()}.unprotect(packet, number_offset);
    if (!unmasked) return std::nullopt;
    const std::size_t header_size = number_offset + unmasked->number_size;
    if (!PacketKey{kind, secret, engine()}.open(number, packet, header_size)) return std::nullopt;
    const Bytes whole{packet};
    return Opened{.header = to_hex(whole.first(header_size)),
                  .payload = to_hex(whole.subspan(header_size, whole.size() - header_size - kAeadTagSize)),
                  .truncated_number = unmasked->truncated_number};
  }
};
INSTANTIATE_TEST_SUITE_P(Engines, PacketProtection, testing::ValuesIn(available_engines()), engine_test_name);

InitialSecrets sample_secrets() {
  return initial_secrets(ConnectionId{from_hex(rfc9001::kClientDestination)});
}

std::vector<std::uint8_t> client_payload() {
  auto payload = from_hex(rfc9001::kClientHello);
  payload.resize(rfc9001::kClientPayloadSize);
  return payload;
}

const Secret kChachaSecret = from_hex("9ac312a7f877468ebe69422748ad00a15443f18203a07d6060f688f30f21632b");

TEST_P(PacketProtection, MakesTheClientInitialOfTheRfc) {
  EXPECT_EQ(protect(AeadKind::aes_128_gcm, sample_secrets().client, 2, from_hex(rfc9001::kClientHeader),
                    client_payload(), 4),
            rfc9001::kClientPacket);
}

TEST_P(PacketProtection, OpensTheClientInitialOfTheRfc) {
  const auto opened =
      unprotect(AeadKind::aes_128_gcm, sample_secrets().client, 2, from_hex(rfc9001::kClientPacket), 18);
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->header, rfc9001::kClientHeader);
  EXPECT_EQ(opened->payload, to_hex(client_payload()));
  EXPECT_EQ(opened->truncated_number, 2U);
}

TEST_P(PacketProtection, MakesTheServerInitialOfTheRfc) {
  EXPECT_EQ(protect(AeadKind::aes_128_gcm, sample_secrets().server, 1, from_hex(rfc9001::kServerHeader),
                    from_hex(rfc9001::kServerPayload), 2),
            rfc9001::kServerPacket);
}

TEST_P(PacketProtection, OpensTheServerInitialOfTheRfc) {
  const auto opened =
      unprotect(AeadKind::aes_128_gcm, sample_secrets().server, 1, from_hex(rfc9001::kServerPacket), 18);
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->header, rfc9001::kServerHeader);
  EXPECT_EQ(opened->payload, rfc9001::kServerPayload);
  EXPECT_EQ(opened->truncated_number, 1U);
}

TEST_P(PacketProtection, MakesTheChachaShortHeaderPacketOfTheRfc) {
  EXPECT_EQ(
      protect(AeadKind::chacha20_poly1305, kChachaSecret, 654360564, from_hex("4200bff4"), from_hex("01"), 3),
      "4cfe4189655e5cd55c41f69080575d7999c25a5bfb");
}

TEST_P(PacketProtection, OpensTheChachaShortHeaderPacketOfTheRfc) {
  const auto opened = unprotect(AeadKind::chacha20_poly1305, kChachaSecret, 654360564,
                                from_hex("4cfe4189655e5cd55c41f69080575d7999c25a5bfb"), 1);
  ASSERT_TRUE(opened);
  EXPECT_EQ(opened->header, "4200bff4");
  EXPECT_EQ(opened->payload, "01");
  EXPECT_EQ(opened->truncated_number, 0x00bff4U);
}

TEST_P(PacketProtection, RefusesAPacketUnderAnotherNumber) {
  EXPECT_FALSE(unprotect(AeadKind::chacha20_poly1305, kChachaSecret, 654360563,
                         from_hex("4cfe4189655e5cd55c41f69080575d7999c25a5bfb"), 1));
}

TEST_P(PacketProtection, RefusesTheRfcsPacketWithAnyBitFlipped) {
  const auto packet = from_hex(rfc9001::kServerPacket);
  for (std::size_t bit = 0; bit < packet.size() * 8; ++bit) {
    auto damaged = packet;
    damaged[bit / 8] = static_cast<std::uint8_t>(damaged[bit / 8] ^ 1U << bit % 8);
    EXPECT_FALSE(unprotect(AeadKind::aes_128_gcm, sample_secrets().server, 1, damaged, 18)) << "bit " << bit;
  }
}

TEST_P(PacketProtection, CannotUnmaskAPacketThatIsTooShortToBeSampled) {
  HeaderKey key{AeadKind::chacha20_poly1305, kChachaSecret, engine()};
  auto packet = from_hex("4cfe4189655e5cd55c41f69080575d7999c25a5bfb");
  packet.pop_back();
  EXPECT_FALSE(key.unprotect(packet, 1));
}

TEST_P(PacketProtection, MasksEachLengthOfPacketNumberAndNothingElse) {
  for (std::size_t size = 1; size <= 4; ++size) {
    HeaderKey key{AeadKind::aes_128_gcm, sample_secrets().client, engine()};
    std::vector<std::uint8_t> packet(60, 0xa5);
    packet[0] = static_cast<std::uint8_t>(0x40 | (size - 1));
    const auto before = packet;
    key.protect(packet, 9, size);
    EXPECT_TRUE(std::equal(packet.begin() + 1, packet.begin() + 9, before.begin() + 1));
    EXPECT_TRUE(std::equal(packet.begin() + 9 + static_cast<std::ptrdiff_t>(size), packet.end(),
                           before.begin() + 9 + static_cast<std::ptrdiff_t>(size)));
    const auto unmasked = key.unprotect(packet, 9);
    ASSERT_TRUE(unmasked);
    EXPECT_EQ(unmasked->number_size, size);
    EXPECT_EQ(packet, before);
  }
}

TEST(RetryIntegrity, MakesTheTagOfTheRfc) {
  const auto packet = from_hex(rfc9001::kRetryPacket);
  const Bytes without_tag = Bytes{packet}.first(packet.size() - 16);
  EXPECT_EQ(to_hex(retry_integrity_tag(without_tag, from_hex(rfc9001::kClientDestination))),
            to_hex(Bytes{packet}.last(16)));
}

TEST(RetryIntegrity, DependsOnTheOriginalDestination) {
  const auto packet = from_hex(rfc9001::kRetryPacket);
  const Bytes without_tag = Bytes{packet}.first(packet.size() - 16);
  EXPECT_NE(to_hex(retry_integrity_tag(without_tag, from_hex("8394c8f03e515709"))),
            to_hex(Bytes{packet}.last(16)));
}

}  // namespace
}  // namespace quell
