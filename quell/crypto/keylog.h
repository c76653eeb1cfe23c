// How can Wireshark read along? By lines of the SSLKEYLOGFILE format.
#pragma once

#include <gnutls/gnutls.h>

#include <string>

namespace quell {

// "LABEL client_random secret".
std::string keylog_line(gnutls_session_t session, const char* label, const gnutls_datum_t& secret);
// Appends the line to `file`. A file that cannot be written is no reason to fail a handshake.
void append_keylog_line(const std::string& file, std::string line);

}  // namespace quell
