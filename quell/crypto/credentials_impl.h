// What is behind Credentials? For the files of crypto/ that speak to GnuTLS; nobody else includes this.
#pragma once

#include <gnutls/gnutls.h>

#include "quell/base/check.h"
#include "quell/crypto/gnutls_credentials.h"

namespace quell {

struct Credentials::Impl {
  Impl() {
    const int result = gnutls_certificate_allocate_credentials(&handle);
    QUELL_CHECK(result == GNUTLS_E_SUCCESS);
  }
  ~Impl() { gnutls_certificate_free_credentials(handle); }
  Impl(const Impl&) = delete;
  Impl& operator=(const Impl&) = delete;

  gnutls_certificate_credentials_t handle = nullptr;
  // Only clients verify.
  bool verifies_peer = false;
};

}  // namespace quell
