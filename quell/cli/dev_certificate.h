// How does one try a server without an authority? With a certificate made on the spot, left in a file for the
// client.
#pragma once

#include <string>

#include "quell/crypto/gnutls_credentials.h"

namespace quell::cli {

// ECDSA P-256: browsers refuse Ed25519. The file lives as long as this object.
class DevCertificate {
 public:
  DevCertificate();
  ~DevCertificate();
  DevCertificate(const DevCertificate&) = delete;
  DevCertificate& operator=(const DevCertificate&) = delete;

  const PemPair& pair() const { return pair_; }
  // For `quell get --ca`; empty when the file could not be written.
  const std::string& path() const { return path_; }

 private:
  PemPair pair_;
  std::string path_;
};

}  // namespace quell::cli
