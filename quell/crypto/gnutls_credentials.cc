#include "quell/crypto/gnutls_credentials.h"

#include <gnutls/x509.h>

#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <optional>
#include <utility>

#include "quell/crypto/credentials_impl.h"

namespace quell {

Credentials::Credentials(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Credentials::~Credentials() = default;

namespace {

gnutls_datum_t datum(std::string_view text) {
  return {reinterpret_cast<unsigned char*>(const_cast<char*>(text.data())),
          static_cast<unsigned>(text.size())};
}

// Choice: far above any bundle of certificates; it keeps a wrong path (/dev/zero) from eating the memory.
constexpr std::size_t kMaxFileSize = std::size_t{16} * 1024 * 1024;

std::expected<std::string, std::string> read_file(const std::string& what, const std::string& file) {
  const auto failed = [&](const char* why) {
    return std::unexpected("cannot read the " + what + " file '" + file + "': " + why);
  };
  struct Close {
    void operator()(std::FILE* stream) const { std::fclose(stream); }
  };
  const std::unique_ptr<std::FILE, Close> in{std::fopen(file.c_str(), "rbe")};
  if (!in) return failed(std::strerror(errno));
  std::string text;
  std::array<char, 4096> block;
  while (std::feof(in.get()) == 0) {
    const std::size_t count = std::fread(block.data(), 1, block.size(), in.get());
    if (std::ferror(in.get()) != 0) return failed(std::strerror(errno));
    text.append(block.data(), count);
    if (text.size() > kMaxFileSize) return failed("it is too large");
  }
  if (text.empty()) return failed("it is empty");
  return text;
}

CredentialsResult share(std::unique_ptr<Credentials::Impl> impl) {
  return std::make_shared<const Credentials>(std::move(impl));
}

// GnuTLS compares some kinds of keys on loading, but not Ed25519.
bool key_belongs_to_certificate(gnutls_certificate_credentials_t credentials) {
  gnutls_x509_privkey_t key = nullptr;
  gnutls_x509_crt_t* chain = nullptr;
  unsigned count = 0;
  if (gnutls_certificate_get_x509_key(credentials, 0, &key) < 0) return false;
  const bool has_chain = gnutls_certificate_get_x509_crt(credentials, 0, &chain, &count) >= 0 && count > 0;
  using KeyId = std::array<std::uint8_t, 64>;
  KeyId id_of_key{};
  KeyId id_in_certificate{};
  std::size_t size = id_of_key.size();
  bool same =
      has_chain && gnutls_x509_privkey_get_key_id(key, GNUTLS_KEYID_USE_SHA256, id_of_key.data(), &size) >= 0;
  size = id_in_certificate.size();
  same = same &&
         gnutls_x509_crt_get_key_id(chain[0], GNUTLS_KEYID_USE_SHA256, id_in_certificate.data(), &size) >= 0;
  gnutls_x509_privkey_deinit(key);
  for (unsigned i = 0; i < count; ++i) gnutls_x509_crt_deinit(chain[i]);
  gnutls_free(static_cast<void*>(chain));
  return same && id_of_key == id_in_certificate;
}

// What a look at the text already tells; nothing when it may be loaded.
std::optional<std::string> plain_fault(std::string_view certificate_chain, std::string_view key,
                                       const std::string& certificate_name, const std::string& key_name) {
  if (certificate_chain.find("-----BEGIN CERTIFICATE") == std::string_view::npos) {
    return certificate_name + " holds no certificate in PEM form (-----BEGIN CERTIFICATE-----)";
  }
  if (key.find("PRIVATE KEY-----") == std::string_view::npos) {
    return key_name + " holds no private key in PEM form (-----BEGIN PRIVATE KEY-----)";
  }
  if (key.find("ENCRYPTED") != std::string_view::npos) {
    return "the private key in " + key_name + " is encrypted; store it without a password";
  }
  return std::nullopt;
}

// Zero or GnuTLS's error. gnutls_certificate_set_x509_key_mem2 loses memory over a chain that does not parse,
// so the chain is tried alone first.
int load(gnutls_certificate_credentials_t credentials, std::string_view certificate_chain,
         std::string_view key) {
  const gnutls_datum_t chain_datum = datum(certificate_chain);
  const gnutls_datum_t key_datum = datum(key);
  gnutls_x509_crt_t* chain = nullptr;
  unsigned count = 0;
  const int parsed = gnutls_x509_crt_list_import2(&chain, &count, &chain_datum, GNUTLS_X509_FMT_PEM, 0);
  if (parsed < 0) return parsed;
  for (unsigned i = 0; i < count; ++i) gnutls_x509_crt_deinit(chain[i]);
  gnutls_free(static_cast<void*>(chain));
  const int result = gnutls_certificate_set_x509_key_mem2(credentials, &chain_datum, &key_datum,
                                                          GNUTLS_X509_FMT_PEM, nullptr, 0);
  return result < 0 ? result : 0;
}

// `certificate_name` and `key_name` say in errors where the text came from.
CredentialsResult server_credentials(std::string_view certificate_chain, std::string_view key,
                                     const std::string& certificate_name, const std::string& key_name) {
  if (auto fault = plain_fault(certificate_chain, key, certificate_name, key_name)) {
    return std::unexpected(std::move(*fault));
  }
  auto impl = std::make_unique<Credentials::Impl>();
  const int result = load(impl->handle, certificate_chain, key);
  if (result == 0 && key_belongs_to_certificate(impl->handle)) return share(std::move(impl));
  if (result == 0 || result == GNUTLS_E_CERTIFICATE_KEY_MISMATCH) {
    return std::unexpected("the key in " + key_name + " does not belong to the certificate in " +
                           certificate_name);
  }
  return std::unexpected("the certificate in " + certificate_name + " with the key in " + key_name +
                         " cannot be used: " + gnutls_strerror(result));
}

CredentialsResult client_credentials(std::string_view ca, const std::string& ca_name) {
  auto impl = std::make_unique<Credentials::Impl>();
  impl->verifies_peer = true;
  const gnutls_datum_t ca_datum = datum(ca);
  const int count = gnutls_certificate_set_x509_trust_mem(impl->handle, &ca_datum, GNUTLS_X509_FMT_PEM);
  if (count > 0) return share(std::move(impl));
  const std::string why = count < 0 ? std::string{": "} + gnutls_strerror(count) : std::string{};
  return std::unexpected(ca_name +
                         " holds no certificate in PEM form (-----BEGIN CERTIFICATE-----) to trust" + why);
}

}  // namespace

CredentialsResult server_credentials_from_files(const std::string& certificate_file,
                                                const std::string& key_file) {
  const auto certificate = read_file("certificate", certificate_file);
  if (!certificate) return std::unexpected(certificate.error());
  const auto key = read_file("key", key_file);
  if (!key) return std::unexpected(key.error());
  return server_credentials(*certificate, *key, "'" + certificate_file + "'", "'" + key_file + "'");
}

CredentialsResult server_credentials_from_pem(std::string_view certificate_chain, std::string_view key) {
  return server_credentials(certificate_chain, key, "the certificate text", "the key text");
}

CredentialsResult client_credentials_system_trust() {
  auto impl = std::make_unique<Credentials::Impl>();
  impl->verifies_peer = true;
  if (gnutls_certificate_set_x509_system_trust(impl->handle) > 0) return share(std::move(impl));
  return std::unexpected(
      "this system trusts no certificate authority; install the package ca-certificates, or name a CA file");
}

CredentialsResult client_credentials_from_ca_file(const std::string& ca_file) {
  const auto ca = read_file("CA", ca_file);
  if (!ca) return std::unexpected(ca.error());
  return client_credentials(*ca, "'" + ca_file + "'");
}

CredentialsResult client_credentials_from_ca_pem(std::string_view ca) {
  return client_credentials(ca, "the CA text");
}

CredentialsResult client_credentials_without_verification() {
  return share(std::make_unique<Credentials::Impl>());
}

}  // namespace quell
