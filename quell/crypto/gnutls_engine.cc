#include "quell/crypto/gnutls_engine.h"

#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>

#include <algorithm>
#include <tuple>

#include "quell/base/check.h"

namespace quell {
namespace {

gnutls_datum_t datum(Bytes bytes) {
  return {const_cast<unsigned char*>(bytes.data()), static_cast<unsigned>(bytes.size())};
}

giovec_t slice(Bytes bytes) {
  return {const_cast<std::uint8_t*>(bytes.data()), bytes.size()};
}

gnutls_cipher_algorithm_t aead_algorithm(AeadKind kind) {
  switch (kind) {
    case AeadKind::aes_128_gcm:
      return GNUTLS_CIPHER_AES_128_GCM;
    case AeadKind::aes_256_gcm:
      return GNUTLS_CIPHER_AES_256_GCM;
    case AeadKind::chacha20_poly1305:
      return GNUTLS_CIPHER_CHACHA20_POLY1305;
  }
  return GNUTLS_CIPHER_UNKNOWN;
}

class GnutlsAead final : public Aead {
 public:
  GnutlsAead(AeadKind kind, Bytes key) {
    const gnutls_datum_t key_datum = datum(key);
    const int result = gnutls_aead_cipher_init(&handle_, aead_algorithm(kind), &key_datum);
    QUELL_CHECK(result == GNUTLS_E_SUCCESS);
  }
  ~GnutlsAead() override { gnutls_aead_cipher_deinit(handle_); }
  GnutlsAead(const GnutlsAead&) = delete;
  GnutlsAead& operator=(const GnutlsAead&) = delete;

  void seal(const Nonce& nonce, Bytes aad, MutableBytes buffer) override {
    QUELL_CHECK(buffer.size() >= kAeadTagSize);
    const MutableBytes text = buffer.first(buffer.size() - kAeadTagSize);
    const giovec_t aad_slice = slice(aad);
    const giovec_t text_slice = slice(text);
    std::size_t tag_size = kAeadTagSize;
    const int result = gnutls_aead_cipher_encryptv2(handle_, nonce.data(), nonce.size(), &aad_slice, 1,
                                                    &text_slice, 1, buffer.data() + text.size(), &tag_size);
    QUELL_CHECK(result == GNUTLS_E_SUCCESS);
  }

  bool open(const Nonce& nonce, Bytes aad, MutableBytes buffer) override {
    if (buffer.size() < kAeadTagSize) return false;
    const MutableBytes text = buffer.first(buffer.size() - kAeadTagSize);
    const giovec_t aad_slice = slice(aad);
    const giovec_t text_slice = slice(text);
    return gnutls_aead_cipher_decryptv2(handle_, nonce.data(), nonce.size(), &aad_slice, 1, &text_slice, 1,
                                        buffer.data() + text.size(), kAeadTagSize) == GNUTLS_E_SUCCESS;
  }

 private:
  gnutls_aead_cipher_hd_t handle_ = nullptr;
};

// A raw cipher whose IV is set for every block.
class BlockCipher {
 public:
  BlockCipher(gnutls_cipher_algorithm_t algorithm, Bytes key) {
    HeaderMask zero_iv{};
    const gnutls_datum_t key_datum = datum(key);
    const gnutls_datum_t iv_datum = datum(zero_iv);
    const int result = gnutls_cipher_init(&handle_, algorithm, &key_datum, &iv_datum);
    QUELL_CHECK(result == GNUTLS_E_SUCCESS);
  }
  ~BlockCipher() { gnutls_cipher_deinit(handle_); }
  BlockCipher(const BlockCipher&) = delete;
  BlockCipher& operator=(const BlockCipher&) = delete;

  HeaderMask encrypt(HeaderMask iv, Bytes block) {
    HeaderMask out;
    gnutls_cipher_set_iv(handle_, iv.data(), iv.size());
    const int result = gnutls_cipher_encrypt2(handle_, block.data(), block.size(), out.data(), out.size());
    QUELL_CHECK(result == GNUTLS_E_SUCCESS);
    return out;
  }

 private:
  gnutls_cipher_hd_t handle_ = nullptr;
};

// GnuTLS has no ECB: the first block of CBC with a zero IV is the same (RFC 9001 §5.4.3).
class AesProtector final : public HeaderProtector {
 public:
  AesProtector(AeadKind kind, Bytes key)
      : cipher_(kind == AeadKind::aes_128_gcm ? GNUTLS_CIPHER_AES_128_CBC : GNUTLS_CIPHER_AES_256_CBC, key) {}
  HeaderMask mask(Bytes sample) override {
    QUELL_CHECK(sample.size() == std::tuple_size_v<HeaderMask>);
    return cipher_.encrypt(HeaderMask{}, sample);
  }

 private:
  BlockCipher cipher_;
};

// CHACHA20_32 takes counter (little endian) and nonce as one IV of 16 bytes, which is just how the sample is
// cut (RFC 9001 §5.4.4).
class Chacha20Protector final : public HeaderProtector {
 public:
  explicit Chacha20Protector(Bytes key) : cipher_(GNUTLS_CIPHER_CHACHA20_32, key) {}
  HeaderMask mask(Bytes sample) override {
    static constexpr HeaderMask kZeros{};
    HeaderMask counter_and_nonce;
    QUELL_CHECK(sample.size() == counter_and_nonce.size());
    std::copy(sample.begin(), sample.end(), counter_and_nonce.begin());
    return cipher_.encrypt(counter_and_nonce, kZeros);
  }

 private:
  BlockCipher cipher_;
};

class GnutlsEngine final : public CryptoEngine {
 public:
  std::string_view name() const override { return "gnutls"; }
  std::unique_ptr<Aead> make_aead(AeadKind kind, Bytes key) const override {
    QUELL_CHECK(key.size() == key_size(kind));
    return std::make_unique<GnutlsAead>(kind, key);
  }
  std::unique_ptr<HeaderProtector> make_header_protector(AeadKind kind, Bytes key) const override {
    QUELL_CHECK(key.size() == key_size(kind));
    if (kind == AeadKind::chacha20_poly1305) return make_gnutls_chacha20_protector(key);
    return std::make_unique<AesProtector>(kind, key);
  }
};

}  // namespace

std::unique_ptr<HeaderProtector> make_gnutls_chacha20_protector(Bytes key) {
  return std::make_unique<Chacha20Protector>(key);
}

const CryptoEngine& gnutls_engine() {
  static const GnutlsEngine engine;
  return engine;
}

}  // namespace quell
