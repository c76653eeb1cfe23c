#include "quell/lab/certificate.h"

#include "quell/base/check.h"

namespace quell::lab {

const LabCertificate& lab_certificate() {
  static const LabCertificate certificate = [] {
    const PemPair pair = make_throwaway_certificate(KeyAlgorithm::ed25519);
    const auto server = server_credentials_from_pem(pair.certificate, pair.key);
    const auto client = client_credentials_from_ca_pem(pair.certificate);
    QUELL_CHECK(server.has_value());
    QUELL_CHECK(client.has_value());
    return LabCertificate{*server, *client};
  }();
  return certificate;
}

}  // namespace quell::lab
