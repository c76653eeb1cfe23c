#include "quell/crypto/tls_alert.h"

#include <gnutls/gnutls.h>

namespace quell {
namespace {

std::string_view reason_of(std::uint8_t alert) {
  switch (alert) {
    case GNUTLS_A_UNEXPECTED_MESSAGE:
      return "a TLS message came that does not belong here";
    case GNUTLS_A_HANDSHAKE_FAILURE:
      return "no TLS cipher, group or signature in common";
    case GNUTLS_A_BAD_CERTIFICATE:
      return "the certificate is damaged";
    case GNUTLS_A_UNSUPPORTED_CERTIFICATE:
      return "the kind of certificate is not supported";
    case GNUTLS_A_CERTIFICATE_UNKNOWN:
      return "the certificate cannot be used";
    case GNUTLS_A_ILLEGAL_PARAMETER:
      return "a TLS message holds a value that is not allowed";
    case GNUTLS_A_DECODE_ERROR:
      return "a TLS message cannot be decoded";
    case GNUTLS_A_DECRYPT_ERROR:
      return "a TLS signature or Finished message does not verify";
    case GNUTLS_A_PROTOCOL_VERSION:
      return "the peer does not offer TLS 1.3";
    case GNUTLS_A_INSUFFICIENT_SECURITY:
      return "the peer asks for weaker cryptography than is allowed";
    case GNUTLS_A_MISSING_EXTENSION:
      return "a TLS extension is missing that must be there";
    case GNUTLS_A_UNSUPPORTED_EXTENSION:
      return "a TLS extension came that was not asked for";
    case GNUTLS_A_UNRECOGNIZED_NAME:
      return "the server has no certificate for this name";
    case GNUTLS_A_CERTIFICATE_REQUIRED:
      return "a client certificate is required";
    case GNUTLS_A_NO_APPLICATION_PROTOCOL:
      return "no application protocol (ALPN) in common";
    default:
      return "the TLS handshake failed";
  }
}

}  // namespace

Error error_of_alert(std::uint8_t alert) {
  return {.code = crypto_error(alert), .reason = reason_of(alert)};
}

// A certificate can be wrong in several ways at once; the way that is hardest to mend is named first.
Error error_of_verification(unsigned status) {
  const auto error = [](std::uint8_t alert, std::string_view reason) {
    return Error{.code = crypto_error(alert), .reason = reason};
  };
  if ((status & GNUTLS_CERT_REVOKED) != 0) {
    return error(kAlertCertificateRevoked, "the server's certificate was revoked");
  }
  // Two throw-away certificates share their subject: the wrong one is then found as signer that is no
  // authority.
  if ((status & (GNUTLS_CERT_SIGNER_NOT_FOUND | GNUTLS_CERT_SIGNER_NOT_CA)) != 0) {
    return error(kAlertUnknownCa, "the server's certificate is not trusted (unknown authority)");
  }
  if ((status & GNUTLS_CERT_SIGNER_CONSTRAINTS_FAILURE) != 0) {
    return error(kAlertUnknownCa, "the server's certificate was signed by one who may not sign it");
  }
  if ((status & GNUTLS_CERT_SIGNATURE_FAILURE) != 0) {
    return error(kAlertBadCertificate, "the signature on the server's certificate is wrong");
  }
  if ((status & GNUTLS_CERT_INSECURE_ALGORITHM) != 0) {
    return error(kAlertBadCertificate, "the server's certificate uses an insecure algorithm");
  }
  if ((status & (GNUTLS_CERT_EXPIRED | GNUTLS_CERT_NOT_ACTIVATED)) != 0) {
    return error(kAlertCertificateExpired, "the server's certificate has expired or is not yet valid");
  }
  if ((status & GNUTLS_CERT_UNEXPECTED_OWNER) != 0) {
    return error(kAlertBadCertificate, "the server's certificate does not match the name");
  }
  if ((status & GNUTLS_CERT_PURPOSE_MISMATCH) != 0) {
    return error(kAlertBadCertificate, "the server's certificate is not meant for servers");
  }
  return error(kAlertBadCertificate, "the server's certificate is not valid");
}

}  // namespace quell
