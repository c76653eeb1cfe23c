// How is a failed TLS handshake told to the peer and to a person? As an alert's number and a sentence.
#pragma once

#include <cstdint>

#include "quell/wire/error.h"

namespace quell {

// The TLS alerts (RFC 8446 §6) that quell itself raises.
inline constexpr std::uint8_t kAlertUnexpectedMessage = 10;
inline constexpr std::uint8_t kAlertBadCertificate = 42;
inline constexpr std::uint8_t kAlertCertificateRevoked = 44;
inline constexpr std::uint8_t kAlertCertificateExpired = 45;
inline constexpr std::uint8_t kAlertUnknownCa = 48;
inline constexpr std::uint8_t kAlertInternalError = 80;
inline constexpr std::uint8_t kAlertMissingExtension = 109;
inline constexpr std::uint8_t kAlertNoApplicationProtocol = 120;

// What went wrong in the handshake when GnuTLS raises this alert.
Error error_of_alert(std::uint8_t alert);

// Why the server's certificate was refused: `status` is gnutls_session_get_verify_cert_status().
Error error_of_verification(unsigned status);

}  // namespace quell
