#include "quell/crypto/aead.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>
#include <thread>

#include "quell/base/rng.h"
#include "quell/crypto/test_support.h"

namespace quell {
namespace {

using Buffer = std::vector<std::uint8_t>;

class AeadVectors : public EveryEngine {
 protected:
  std::string seal(AeadKind kind, std::string_view key, std::string_view nonce, std::string_view aad,
                   std::string_view text) const {
    Buffer buffer = from_hex(text);
    buffer.resize(buffer.size() + kAeadTagSize);
    Nonce iv{};
    std::ranges::copy(from_hex(nonce), iv.begin());
    engine().make_aead(kind, from_hex(key))->seal(iv, from_hex(aad), buffer);
    return to_hex(buffer);
  }
};
INSTANTIATE_TEST_SUITE_P(Engines, AeadVectors, testing::ValuesIn(available_engines()), engine_test_name);

// Test cases 4 and 16 of the GCM specification that NIST SP 800-38D adopted.
constexpr std::string_view kGcmNonce = "cafebabefacedbaddecaf888";
constexpr std::string_view kGcmAad = "feedfacedeadbeeffeedfacedeadbeefabaddad2";
constexpr std::string_view kGcmText =
    "d9313225f88406e5a55909c5aff5269a86a7a9531534f7da2e4c303d8a318a721c3c0c95956809532fcf0e2449a6b525"
    "b16aedf5aa0de657ba637b39";

TEST_P(AeadVectors, SealsAes128GcmLikeItsSpecification) {
  EXPECT_EQ(seal(AeadKind::aes_128_gcm, "feffe9928665731c6d6a8f9467308308", kGcmNonce, kGcmAad, kGcmText),
            "42831ec2217774244b7221b784d0d49ce3aa212f2c02a4e035c17e2329aca12e21d514b25466931c7d8f6a5aac84aa05"
            "1ba30b396a0aac973d58e0915bc94fbc3221a5db94fae95ae7121a47");
}

TEST_P(AeadVectors, SealsAes256GcmLikeItsSpecification) {
  EXPECT_EQ(seal(AeadKind::aes_256_gcm, "feffe9928665731c6d6a8f9467308308feffe9928665731c6d6a8f9467308308",
                 kGcmNonce, kGcmAad, kGcmText),
            "522dc1f099567d07f47f37a32a84427d643a8cdcbfe5c0c97598a2bd2555d1aa8cb08e48590dbb3da7b08b1056828838"
            "c5f61e6393ba7a0abcc9f66276fc6ece0f4e1768cddf8853bb2d551b");
}

// RFC 8439 §2.8.2.
TEST_P(AeadVectors, SealsChacha20Poly1305LikeRfc8439) {
  EXPECT_EQ(
      seal(AeadKind::chacha20_poly1305, "808182838485868788898a8b8c8d8e8f909192939495969798999a9b9c9d9e9f",
           "070000004041424344454647", "50515253c0c1c2c3c4c5c6c7",
           "4c616469657320616e642047656e746c656d656e206f662074686520636c617373206f66202739393a204966204920636"
           "f756c"
           "64206f6666657220796f75206f6e6c79206f6e652074697020666f7220746865206675747572652c2073756e736372656"
           "56e20"
           "776f756c642062652069742e"),
      "d31a8d34648e60db7b86afbc53ef7ec2a4aded51296e08fea9e2b5a736ee62d63dbea45e8ca9671282fafb69da92728b1a71de"
      "0a9e0"
      "60b2905d6a5b67ecd3b3692ddbd7f2d778b8c9803aee328091b58fab324e4fad675945585808b4831d7bc3ff4def08e4b7a9de"
      "576d2"
      "6586cec64b61161ae10b594f09e26a7e902ecbd0600691");
}

// FIPS 197, appendices C.1 and C.3.
TEST_P(AeadVectors, MasksWithOneBlockOfAes) {
  const auto mask = [&](AeadKind kind, std::string_view key) {
    return to_hex(engine()
                      .make_header_protector(kind, from_hex(key))
                      ->mask(from_hex("00112233445566778899aabbccddeeff")));
  };
  EXPECT_EQ(mask(AeadKind::aes_128_gcm, "000102030405060708090a0b0c0d0e0f"),
            "69c4e0d86a7b0430d8cdb78070b4c55a");
  EXPECT_EQ(mask(AeadKind::aes_256_gcm, "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"),
            "8ea2b7ca516745bfeafc49904b496089");
}

TEST_P(AeadVectors, MasksTheSameForTheSameSample) {
  for (const AeadKind kind : kAllAeads) {
    const auto protector = engine().make_header_protector(kind, Buffer(key_size(kind), 7));
    const Buffer sample(16, 3);
    const Buffer other(16, 4);
    const HeaderMask first = protector->mask(sample);
    EXPECT_NE(protector->mask(other), first);
    EXPECT_EQ(protector->mask(sample), first);
  }
}

TEST_P(AeadVectors, RefusesWhatIsShorterThanATag) {
  for (const AeadKind kind : kAllAeads) {
    const auto aead = engine().make_aead(kind, Buffer(key_size(kind), 7));
    for (std::size_t size = 0; size < kAeadTagSize; ++size) {
      Buffer buffer(size);
      EXPECT_FALSE(aead->open(Nonce{}, {}, buffer));
    }
  }
}

TEST_P(AeadVectors, RefusesAnyFlippedBit) {
  for (const AeadKind kind : kAllAeads) {
    const auto aead = engine().make_aead(kind, Buffer(key_size(kind), 9));
    const Buffer aad = from_hex("c30000000108");
    Buffer sealed(70, 0x55);
    aead->seal(Nonce{1}, aad, sealed);
    for (std::size_t bit = 0; bit < sealed.size() * 8; ++bit) {
      Buffer damaged = sealed;
      damaged[bit / 8] = static_cast<std::uint8_t>(damaged[bit / 8] ^ 1U << bit % 8);
      EXPECT_FALSE(aead->open(Nonce{1}, aad, damaged)) << to_string(kind) << ", bit " << bit;
    }
    for (std::size_t bit = 0; bit < aad.size() * 8; ++bit) {
      Buffer damaged_aad = aad;
      damaged_aad[bit / 8] = static_cast<std::uint8_t>(damaged_aad[bit / 8] ^ 1U << bit % 8);
      Buffer copy = sealed;
      EXPECT_FALSE(aead->open(Nonce{1}, damaged_aad, copy)) << to_string(kind) << ", aad bit " << bit;
    }
    Buffer under_another_nonce = sealed;
    EXPECT_FALSE(aead->open(Nonce{2}, aad, under_another_nonce));
    EXPECT_TRUE(aead->open(Nonce{1}, aad, sealed));
  }
}

struct Message {
  Buffer key;
  Nonce nonce{};
  Buffer aad;
  Buffer text;
};

Message draw_message(AeadKind kind, Rng rng) {
  Message message{
      .key = Buffer(key_size(kind)), .aad = Buffer(rng.below(64)), .text = Buffer(rng.below(2000))};
  rng.fill(message.key);
  rng.fill(message.nonce);
  rng.fill(message.aad);
  rng.fill(message.text);
  return message;
}

Buffer seal_with(const CryptoEngine& engine, AeadKind kind, const Message& message) {
  Buffer buffer = message.text;
  buffer.resize(buffer.size() + kAeadTagSize);
  engine.make_aead(kind, message.key)->seal(message.nonce, message.aad, buffer);
  return buffer;
}

RC_GTEST_PROP(Engines, AgreeOnEveryByteAndOpenEachOther, (std::uint64_t seed)) {
  for (const AeadKind kind : kAllAeads) {
    const Message message = draw_message(kind, Rng{seed});
    for (const CryptoEngine* sealer : available_engines()) {
      const Buffer sealed = seal_with(*sealer, kind, message);
      RC_ASSERT(sealed == seal_with(default_engine(), kind, message));
      for (const CryptoEngine* opener : available_engines()) {
        Buffer buffer = sealed;
        RC_ASSERT(opener->make_aead(kind, message.key)->open(message.nonce, message.aad, buffer));
        buffer.resize(message.text.size());
        RC_ASSERT(buffer == message.text);
      }
    }
  }
}

RC_GTEST_PROP(Engines, AgreeOnEveryMask, (std::uint64_t seed)) {
  Rng rng{seed};
  for (const AeadKind kind : kAllAeads) {
    Buffer key(key_size(kind));
    HeaderMask sample{};
    rng.fill(key);
    rng.fill(sample);
    const HeaderMask expected = default_engine().make_header_protector(kind, key)->mask(sample);
    for (const CryptoEngine* engine : available_engines()) {
      RC_ASSERT(engine->make_header_protector(kind, key)->mask(sample) == expected);
    }
  }
}

RC_GTEST_PROP(Engines, RefuseWhatWasChangedAnywhere, (std::uint64_t seed)) {
  for (const AeadKind kind : kAllAeads) {
    const Message message = draw_message(kind, Rng{seed});
    for (const CryptoEngine* engine : available_engines()) {
      Buffer buffer = seal_with(*engine, kind, message);
      const std::uint64_t bit = Rng{seed}.fork("damage").below(buffer.size() * 8);
      buffer[bit / 8] = static_cast<std::uint8_t>(buffer[bit / 8] ^ 1U << bit % 8);
      RC_ASSERT(!engine->make_aead(kind, message.key)->open(message.nonce, message.aad, buffer));
    }
  }
}

TEST(Engines, WorkInSeveralThreadsAtOnce) {
  const auto work = [](std::uint64_t seed, bool& all_opened) {
    all_opened = true;
    for (std::uint64_t round = 0; round < 200; ++round) {
      for (const AeadKind kind : kAllAeads) {
        const Message message = draw_message(kind, Rng{seed * 1000 + round});
        Buffer sealed = seal_with(default_engine(), kind, message);
        const bool opened =
            default_engine().make_aead(kind, message.key)->open(message.nonce, message.aad, sealed);
        sealed.resize(message.text.size());
        all_opened = all_opened && opened && sealed == message.text;
      }
    }
  };
  bool first = false;
  bool second = false;
  std::thread one{work, 1, std::ref(first)};
  std::thread two{work, 2, std::ref(second)};
  one.join();
  two.join();
  EXPECT_TRUE(first);
  EXPECT_TRUE(second);
}

TEST(Engines, HaveDifferentNamesAndEndWithGnutls) {
  std::set<std::string_view> names;
  for (const CryptoEngine* engine : available_engines()) names.insert(engine->name());
  EXPECT_EQ(names.size(), available_engines().size());
  EXPECT_EQ(available_engines().back()->name(), "gnutls");
  EXPECT_EQ(available_engines().front(), &default_engine());
}

// RFC 9001 §6.6.
TEST(AeadLimits, AreThoseOfTheRfc) {
  EXPECT_EQ(confidentiality_limit(AeadKind::aes_128_gcm), 8'388'608U);
  EXPECT_EQ(integrity_limit(AeadKind::aes_256_gcm), 4'503'599'627'370'496U);
  EXPECT_EQ(integrity_limit(AeadKind::chacha20_poly1305), 68'719'476'736U);
}

}  // namespace
}  // namespace quell
