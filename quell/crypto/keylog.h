// How can Wireshark read along? By lines of the SSLKEYLOGFILE format.
#pragma once

#include <gnutls/gnutls.h>

#include <string>

namespace quell {

// Appends "LABEL client_random secret" to `file`. A file that cannot be written is no reason to fail a
// handshake. Returns 0, as GnuTLS wants it.
int append_keylog_line(gnutls_session_t session, const std::string& file, const char* label,
                       const gnutls_datum_t& secret);

}  // namespace quell
