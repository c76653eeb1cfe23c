#include "quell/crypto/ipsec_mb_engine.h"

#ifdef QUELL_HAVE_IPSEC_MB

#include <gnutls/gnutls.h>
#include <immintrin.h>
#include <intel-ipsec-mb.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "quell/base/check.h"
#include "quell/crypto/gnutls_engine.h"

namespace quell {
namespace {

struct FreeManager {
  void operator()(IMB_MGR* manager) const { free_mb_mgr(manager); }
};
using Manager = std::unique_ptr<IMB_MGR, FreeManager>;

// Null where the library does not like the processor.
Manager make_manager() {
  Manager manager{alloc_mb_mgr(0)};
  if (!manager) return nullptr;
  init_mb_mgr_auto(manager.get(), nullptr);
  constexpr std::uint64_t kNeeded = IMB_FEATURE_AESNI | IMB_FEATURE_PCLMULQDQ;
  const bool has_instructions = (manager->features & kNeeded) == kNeeded;
  const bool emulates = (manager->features & IMB_FEATURE_AESNI_EMU) != 0;
  if (imb_get_errno(manager.get()) != 0 || !has_instructions || emulates) return nullptr;
  return manager;
}

// For the direct calls: they are plain functions that keep nothing in the manager, so all threads share it.
const IMB_MGR* shared_manager() {
  static const Manager manager = make_manager();
  return manager.get();
}

// For jobs, which do keep state in it.
IMB_MGR& manager_of_this_thread() {
  thread_local const Manager manager = make_manager();
  return *manager;
}

// The library only computes the tag of what it opened; the comparison must not tell where the first
// difference is.
bool tags_equal(const std::uint8_t* a, const std::uint8_t* b) {
  std::array<std::uint64_t, 2> x;
  std::array<std::uint64_t, 2> y;
  static_assert(sizeof x == kAeadTagSize);
  std::memcpy(x.data(), a, sizeof x);
  std::memcpy(y.data(), b, sizeof y);
  return ((x[0] ^ y[0]) | (x[1] ^ y[1])) == 0;
}

class GcmAead final : public Aead {
 public:
  GcmAead(AeadKind kind, Bytes key) {
    const IMB_MGR& library = *shared_manager();
    const bool short_key = kind == AeadKind::aes_128_gcm;
    seal_ = short_key ? library.gcm128_enc : library.gcm256_enc;
    open_ = short_key ? library.gcm128_dec : library.gcm256_dec;
    (short_key ? library.gcm128_pre : library.gcm256_pre)(key.data(), &key_);
  }
  ~GcmAead() override { gnutls_memset(&key_, 0, sizeof key_); }
  GcmAead(const GcmAead&) = delete;
  GcmAead& operator=(const GcmAead&) = delete;

  void seal(const Nonce& nonce, Bytes aad, MutableBytes buffer) override {
    QUELL_CHECK(buffer.size() >= kAeadTagSize);
    std::uint8_t* const text = buffer.data();
    const std::size_t size = buffer.size() - kAeadTagSize;
    alignas(64) gcm_context_data scratch;
    seal_(&key_, &scratch, text, text, size, nonce.data(), aad.data(), aad.size(), text + size, kAeadTagSize);
  }

  bool open(const Nonce& nonce, Bytes aad, MutableBytes buffer) override {
    if (buffer.size() < kAeadTagSize) return false;
    std::uint8_t* const text = buffer.data();
    const std::size_t size = buffer.size() - kAeadTagSize;
    alignas(64) gcm_context_data scratch;
    std::array<std::uint8_t, kAeadTagSize> tag;
    open_(&key_, &scratch, text, text, size, nonce.data(), aad.data(), aad.size(), tag.data(), tag.size());
    return tags_equal(tag.data(), text + size);
  }

 private:
  // The library uses aligned loads, but its type does not say so.
  alignas(64) gcm_key_data key_;
  aes_gcm_enc_dec_t seal_ = nullptr;
  aes_gcm_enc_dec_t open_ = nullptr;
};

// Choice: jobs, for which the library has a single-pass routine that is a sixth faster than its direct calls.
// A ChaCha20-Poly1305 job is always complete when it was submitted: nothing stays queued.
class ChachaAead final : public Aead {
 public:
  explicit ChachaAead(Bytes key) {
    std::copy(key.begin(), key.end(), key_.begin());
    manager_of_this_thread();  // a thread's first one costs up to 3 ms of self-tests: better now than at a
                               // packet
  }
  ~ChachaAead() override { gnutls_memset(key_.data(), 0, key_.size()); }
  ChachaAead(const ChachaAead&) = delete;
  ChachaAead& operator=(const ChachaAead&) = delete;

  void seal(const Nonce& nonce, Bytes aad, MutableBytes buffer) override {
    QUELL_CHECK(buffer.size() >= kAeadTagSize);
    const MutableBytes text = buffer.first(buffer.size() - kAeadTagSize);
    run(IMB_DIR_ENCRYPT, nonce, aad, text, buffer.data() + text.size());
  }

  bool open(const Nonce& nonce, Bytes aad, MutableBytes buffer) override {
    if (buffer.size() < kAeadTagSize) return false;
    const MutableBytes text = buffer.first(buffer.size() - kAeadTagSize);
    std::array<std::uint8_t, kAeadTagSize> tag;
    run(IMB_DIR_DECRYPT, nonce, aad, text, tag.data());
    return tags_equal(tag.data(), buffer.data() + text.size());
  }

 private:
  void run(IMB_CIPHER_DIRECTION direction, const Nonce& nonce, Bytes aad, MutableBytes text,
           std::uint8_t* tag) {
    IMB_MGR& manager = manager_of_this_thread();
    IMB_JOB* const job = IMB_GET_NEXT_JOB(&manager);
    job->cipher_direction = direction;
    job->chain_order = direction == IMB_DIR_ENCRYPT ? IMB_ORDER_CIPHER_HASH : IMB_ORDER_HASH_CIPHER;
    job->cipher_mode = IMB_CIPHER_CHACHA20_POLY1305;
    job->hash_alg = IMB_AUTH_CHACHA20_POLY1305;
    job->enc_keys = key_.data();
    job->dec_keys = key_.data();
    job->key_len_in_bytes = key_.size();
    job->iv = nonce.data();
    job->iv_len_in_bytes = nonce.size();
    job->u.CHACHA20_POLY1305.aad = aad.data();
    job->u.CHACHA20_POLY1305.aad_len_in_bytes = aad.size();
    job->src = text.data();
    job->dst = text.data();
    job->cipher_start_src_offset_in_bytes = 0;
    job->msg_len_to_cipher_in_bytes = text.size();
    job->hash_start_src_offset_in_bytes = 0;
    job->msg_len_to_hash_in_bytes = text.size();
    job->auth_tag_output = tag;
    job->auth_tag_output_len_in_bytes = kAeadTagSize;
    const IMB_JOB* const done = IMB_SUBMIT_JOB(&manager);
    QUELL_CHECK(done == job);
    QUELL_CHECK(done->status == IMB_STATUS_COMPLETED);
  }

  std::array<std::uint8_t, 32> key_;
};

// One block of AES in ECB mode (RFC 9001 §5.4.3), with the library's key schedule.
class AesProtector final : public HeaderProtector {
 public:
  AesProtector(AeadKind kind, Bytes key) : rounds_(kind == AeadKind::aes_128_gcm ? 10 : 14) {
    const IMB_MGR& library = *shared_manager();
    alignas(16) std::array<std::uint8_t, sizeof round_keys_> unused_decryption_keys;
    const auto expand = kind == AeadKind::aes_128_gcm ? library.keyexp_128 : library.keyexp_256;
    expand(key.data(), round_keys_.data(), unused_decryption_keys.data());
    gnutls_memset(unused_decryption_keys.data(), 0, unused_decryption_keys.size());
  }
  ~AesProtector() override { gnutls_memset(round_keys_.data(), 0, sizeof round_keys_); }
  AesProtector(const AesProtector&) = delete;
  AesProtector& operator=(const AesProtector&) = delete;

  HeaderMask mask(Bytes sample) override {
    HeaderMask out;
    QUELL_CHECK(sample.size() == out.size());
    encrypt_block(sample.data(), out.data());
    return out;
  }

 private:
  __attribute__((target("aes,sse2"))) void encrypt_block(const std::uint8_t* in, std::uint8_t* out) const {
    const auto* const keys = reinterpret_cast<const __m128i*>(round_keys_.data());
    __m128i block = _mm_xor_si128(_mm_loadu_si128(reinterpret_cast<const __m128i*>(in)), keys[0]);
    for (int round = 1; round < rounds_; ++round) block = _mm_aesenc_si128(block, keys[round]);
    block = _mm_aesenclast_si128(block, keys[rounds_]);
    _mm_storeu_si128(reinterpret_cast<__m128i*>(out), block);
  }

  alignas(16) std::array<std::uint8_t, std::size_t{15} * 16> round_keys_;
  int rounds_;
};

class IpsecMbEngine final : public CryptoEngine {
 public:
  std::string_view name() const override { return "ipsec-mb"; }
  std::unique_ptr<Aead> make_aead(AeadKind kind, Bytes key) const override {
    QUELL_CHECK(key.size() == key_size(kind));
    if (kind == AeadKind::chacha20_poly1305) return std::make_unique<ChachaAead>(key);
    return std::make_unique<GcmAead>(kind, key);
  }
  std::unique_ptr<HeaderProtector> make_header_protector(AeadKind kind, Bytes key) const override {
    QUELL_CHECK(key.size() == key_size(kind));
    if (kind == AeadKind::chacha20_poly1305) return make_gnutls_chacha20_protector(key);
    return std::make_unique<AesProtector>(kind, key);
  }
};

}  // namespace

const CryptoEngine* ipsec_mb_engine() {
  static const IpsecMbEngine engine;
  return shared_manager() == nullptr ? nullptr : &engine;
}

}  // namespace quell

#else

namespace quell {

const CryptoEngine* ipsec_mb_engine() {
  return nullptr;
}

}  // namespace quell

#endif
