#include "quell/crypto/throwaway_certificate.h"

#include <gnutls/crypto.h>
#include <gnutls/gnutls.h>
#include <gnutls/x509.h>

#include <array>
#include <ctime>

#include "quell/base/check.h"

namespace quell {
namespace {

// Everything here fails only when memory or entropy is gone, or when we call it wrongly.
void must(int result) {
  QUELL_CHECK(result >= 0);
}

struct PrivateKey {
  PrivateKey() { must(gnutls_x509_privkey_init(&handle)); }
  ~PrivateKey() { gnutls_x509_privkey_deinit(handle); }
  PrivateKey(const PrivateKey&) = delete;
  PrivateKey& operator=(const PrivateKey&) = delete;
  gnutls_x509_privkey_t handle = nullptr;
};

struct Certificate {
  Certificate() { must(gnutls_x509_crt_init(&handle)); }
  ~Certificate() { gnutls_x509_crt_deinit(handle); }
  Certificate(const Certificate&) = delete;
  Certificate& operator=(const Certificate&) = delete;
  gnutls_x509_crt_t handle = nullptr;
};

std::string take_text(gnutls_datum_t& datum) {
  std::string text{reinterpret_cast<const char*>(datum.data), datum.size};
  gnutls_memset(datum.data, 0, datum.size);
  gnutls_free(datum.data);
  return text;
}

void generate(const PrivateKey& key, KeyAlgorithm algorithm) {
  if (algorithm == KeyAlgorithm::ed25519) {
    must(gnutls_x509_privkey_generate(key.handle, GNUTLS_PK_EDDSA_ED25519,
                                      GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_ED25519), 0));
  } else {
    must(gnutls_x509_privkey_generate(key.handle, GNUTLS_PK_ECDSA,
                                      GNUTLS_CURVE_TO_BITS(GNUTLS_ECC_CURVE_SECP256R1), 0));
  }
}

// A DER integer loses leading zero bytes and gains one before a set top bit: with 01 at the top the size is
// constant.
void set_serial(const Certificate& certificate) {
  std::array<std::uint8_t, 16> serial;
  must(gnutls_rnd(GNUTLS_RND_NONCE, serial.data(), serial.size()));
  serial[0] = static_cast<std::uint8_t>((serial[0] & 0x3f) | 0x40);
  must(gnutls_x509_crt_set_serial(certificate.handle, serial.data(), serial.size()));
}

void set_names(const Certificate& certificate, const CertificateRecipe& recipe) {
  static constexpr const char* kSubject = "CN=quell throw-away certificate";
  must(gnutls_x509_crt_set_dn(certificate.handle, kSubject, nullptr));
  for (const std::string& name : recipe.dns_names) {
    must(gnutls_x509_crt_set_subject_alt_name(certificate.handle, GNUTLS_SAN_DNSNAME, name.data(),
                                              static_cast<unsigned>(name.size()), GNUTLS_FSAN_APPEND));
  }
  for (const auto& ip : recipe.ip_addresses) {
    must(gnutls_x509_crt_set_subject_alt_name(certificate.handle, GNUTLS_SAN_IPADDRESS, ip.data(),
                                              static_cast<unsigned>(ip.size()), GNUTLS_FSAN_APPEND));
  }
}

// Choice: a leaf, not an authority: some verifiers refuse an authority that serves.
void set_uses(const Certificate& certificate, const PrivateKey& key) {
  must(gnutls_x509_crt_set_basic_constraints(certificate.handle, 0, -1));
  must(gnutls_x509_crt_set_key_usage(certificate.handle, GNUTLS_KEY_DIGITAL_SIGNATURE));
  must(gnutls_x509_crt_set_key_purpose_oid(certificate.handle, GNUTLS_KP_TLS_WWW_SERVER, 0));
  std::array<std::uint8_t, 20> id;
  std::size_t size = id.size();
  must(gnutls_x509_privkey_get_key_id(key.handle, GNUTLS_KEYID_USE_SHA1, id.data(), &size));
  must(gnutls_x509_crt_set_subject_key_id(certificate.handle, id.data(), size));
}

}  // namespace

PemPair make_certificate(const CertificateRecipe& recipe) {
  const PrivateKey key;
  generate(key, recipe.algorithm);
  const Certificate certificate;
  must(gnutls_x509_crt_set_version(certificate.handle, 3));
  set_serial(certificate);
  must(gnutls_x509_crt_set_activation_time(certificate.handle, recipe.valid_from));
  must(gnutls_x509_crt_set_expiration_time(certificate.handle, recipe.valid_until));
  set_names(certificate, recipe);
  must(gnutls_x509_crt_set_key(certificate.handle, key.handle));
  set_uses(certificate, key);
  const auto digest = recipe.algorithm == KeyAlgorithm::ed25519 ? GNUTLS_DIG_SHA512 : GNUTLS_DIG_SHA256;
  must(gnutls_x509_crt_sign2(certificate.handle, certificate.handle, key.handle, digest, 0));

  gnutls_datum_t certificate_text{};
  gnutls_datum_t key_text{};
  must(gnutls_x509_crt_export2(certificate.handle, GNUTLS_X509_FMT_PEM, &certificate_text));
  must(gnutls_x509_privkey_export2_pkcs8(key.handle, GNUTLS_X509_FMT_PEM, nullptr, GNUTLS_PKCS_PLAIN,
                                         &key_text));
  return {.certificate = take_text(certificate_text), .key = take_text(key_text)};
}

// The one place of crypto/ that reads the wall clock: a certificate without today's date is worth nothing.
PemPair make_throwaway_certificate(KeyAlgorithm algorithm) {
  constexpr std::int64_t kDay = std::int64_t{24} * 60 * 60;
  const std::int64_t yesterday = std::time(nullptr) - kDay;
  std::vector<std::uint8_t> ipv6_loopback(16, 0);
  ipv6_loopback.back() = 1;
  return make_certificate({.algorithm = algorithm,
                           .valid_from = yesterday,
                           .valid_until = yesterday + 3650 * kDay,
                           .dns_names = {"localhost"},
                           .ip_addresses = {{127, 0, 0, 1}, ipv6_loopback}});
}

}  // namespace quell
