// With which certificate do the servers of all runs prove themselves?
#pragma once

#include "quell/crypto/gnutls_credentials.h"

namespace quell::lab {

// Made once per process and shared. Ed25519, because its signatures have a constant size: handshakes of equal
// runs then have equal sizes.
struct LabCertificate {
  CredentialsPtr server;
  CredentialsPtr client;  // trusts that certificate alone
};
const LabCertificate& lab_certificate();

}  // namespace quell::lab
