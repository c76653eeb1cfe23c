#include "quell/crypto/keys.h"

#include <gtest/gtest.h>

#include "quell/crypto/rfc9001_vectors.h"
#include "quell/crypto/test_support.h"

namespace quell {
namespace {

// RFC 9001 §A.1.
TEST(InitialKeys, AreThoseOfTheRfc) {
  const InitialSecrets secrets = initial_secrets(ConnectionId{from_hex(rfc9001::kClientDestination)});
  EXPECT_EQ(to_hex(secrets.client), "c00cf151ca5be075ed0ebfb5c80323c42d6b7db67881289af4008f1f6c357aea");
  EXPECT_EQ(to_hex(secrets.server), "3c199828fd139efd216c155ad844cc81fb82fa8d7446fa7d78be803acdda951b");

  const auto derive = [](const Secret& secret, std::string_view label, std::size_t size) {
    return to_hex(hkdf_expand_label(HashKind::sha256, secret, label, size));
  };
  EXPECT_EQ(derive(secrets.client, "quic key", 16), "1f369613dd76d5467730efcbe3b1a22d");
  EXPECT_EQ(derive(secrets.client, "quic iv", 12), "fa044b2f42a3fd3b46fb255c");
  EXPECT_EQ(derive(secrets.client, "quic hp", 16), "9f50449e04a0e810283a1e9933adedd2");
  EXPECT_EQ(derive(secrets.server, "quic key", 16), "cf3a5331653c364c88f0f379b6067e37");
  EXPECT_EQ(derive(secrets.server, "quic iv", 12), "0ac1493ca1905853b0bba03e");
  EXPECT_EQ(derive(secrets.server, "quic hp", 16), "c206b8d9b9f0f37644430b490eeaa314");
}

// RFC 9001 §A.5.
TEST(ChachaKeys, AreThoseOfTheRfc) {
  const Secret secret = from_hex("9ac312a7f877468ebe69422748ad00a15443f18203a07d6060f688f30f21632b");
  const auto derive = [&](std::string_view label, std::size_t size) {
    return to_hex(hkdf_expand_label(HashKind::sha256, secret, label, size));
  };
  EXPECT_EQ(derive("quic key", 32), "c6d98ff3441c3fe1b2182094f69caa2ed4b716b65488960a7a984979fb23e1c8");
  EXPECT_EQ(derive("quic iv", 12), "e0459b3474bdd0e44a41c144");
  EXPECT_EQ(derive("quic hp", 32), "25a282b9e82f06f21f488917a4fc8f1b73573685608597d0efcb076b0ab7a7a4");
  EXPECT_EQ(to_hex(next_secret(AeadKind::chacha20_poly1305, secret)),
            "1223504755036d556342ee9361d253421a826c9ecdf3c7148684b36b714881f9");
}

TEST(Hkdf, ExtractsTheKeyOfRfc5869) {
  EXPECT_EQ(to_hex(hkdf_extract(HashKind::sha256, from_hex("000102030405060708090a0b0c"),
                                from_hex("0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b"))),
            "077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5");
}

TEST(NextSecret, HasTheSizeOfTheHashOfItsCipher) {
  EXPECT_EQ(next_secret(AeadKind::aes_128_gcm, Secret(32)).size(), 32U);
  EXPECT_EQ(next_secret(AeadKind::aes_256_gcm, Secret(48)).size(), 48U);
}

}  // namespace
}  // namespace quell
