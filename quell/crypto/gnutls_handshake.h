// How does GnuTLS speak TLS for QUIC? Its secrets and raw handshake messages are hooked (RFC 9001 §4).
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "quell/crypto/gnutls_credentials.h"
#include "quell/crypto/handshake.h"
#include "quell/crypto/key_log.h"

namespace quell {

struct HandshakeConfig {
  CredentialsPtr credentials;
  // Client: in order of preference; server: what it accepts. Never empty: ALPN is mandatory (RFC 9001 §8.1).
  std::vector<std::string> alpn;
  // Client: for SNI and for the certificate check, which an empty name always fails; IP literals, with or
  // without brackets, are checked but not sent as SNI.
  std::string server_name;
  // Encoded. Empty sends no extension at all, which every peer must refuse.
  std::vector<std::uint8_t> transport_parameters;
  // In order of preference; empty: AES-128-GCM, AES-256-GCM, ChaCha20-Poly1305.
  std::vector<AeadKind> ciphers;
  // Appends SSLKEYLOGFILE lines to this file when not empty.
  std::string keylog_file;
  std::shared_ptr<KeyLog> key_log{};  // hears the same lines; may be null
};

std::unique_ptr<Handshake> make_gnutls_handshake(Side side, HandshakeConfig config);

}  // namespace quell
