// With which certificates does an end prove itself, and whom does it trust?
#pragma once

#include <cstdint>
#include <expected>
#include <memory>
#include <string>
#include <string_view>

namespace quell {

// Shared by the connections of an endpoint. Opaque: GnuTLS stays inside crypto/.
class Credentials {
 public:
  struct Impl;
  explicit Credentials(std::unique_ptr<Impl> impl);
  ~Credentials();
  Impl& impl() const { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};
using CredentialsPtr = std::shared_ptr<const Credentials>;

// Errors are sentences for a person: which file, what is wrong with it, what to do.
using CredentialsResult = std::expected<CredentialsPtr, std::string>;

CredentialsResult server_credentials_from_files(const std::string& certificate_file,
                                                const std::string& key_file);
CredentialsResult server_credentials_from_pem(std::string_view certificate_chain, std::string_view key);

// How a client checks its server's certificate.
CredentialsResult client_credentials_system_trust();
CredentialsResult client_credentials_from_ca_file(const std::string& ca_file);
CredentialsResult client_credentials_from_ca_pem(std::string_view ca);
CredentialsResult client_credentials_without_verification();

struct PemPair {
  std::string certificate;
  std::string key;
};
enum class KeyAlgorithm : std::uint8_t { ecdsa_p256, ed25519 };
// A throw-away self-signed certificate for localhost, 127.0.0.1 and ::1, valid for ten years from yesterday.
// Browsers refuse Ed25519; the laboratory wants it because its signatures have a constant size.
PemPair make_throwaway_certificate(KeyAlgorithm algorithm);

}  // namespace quell
