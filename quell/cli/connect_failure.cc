#include "quell/cli/connect_failure.h"

#include <fmt/format.h>

#include "quell/http3/error_code.h"
#include "quell/wire/error.h"

namespace quell::cli {
namespace {

using Cause = ConnectionEnded::Cause;

// TLS alerts, RFC 8446 §6.
constexpr std::uint64_t kTlsFirst = 0x0100;
constexpr std::uint64_t kTlsLast = 0x01ff;
constexpr std::uint64_t kBadCertificate = 42;
constexpr std::uint64_t kCertificateUnknown = 46;
constexpr std::uint64_t kUnknownCa = 48;
constexpr std::uint64_t kNoApplicationProtocol = 120;

bool is_tls_alert(const ConnectionEnded& ended) {
  return !ended.is_application_code && ended.error_code >= kTlsFirst && ended.error_code <= kTlsLast;
}

bool is_about_certificate(std::uint64_t alert) {
  return (alert >= kBadCertificate && alert <= kCertificateUnknown) || alert == kUnknownCa;
}

std::string code_name(const ConnectionEnded& ended) {
  if (ended.is_application_code) return http3::to_string(static_cast<http3::ErrorCode>(ended.error_code));
  return std::string{to_string(static_cast<TransportError>(ended.error_code))};
}

std::string with_reason(std::string text, const ConnectionEnded& ended) {
  if (!ended.reason.empty()) text += ": " + ended.reason;
  return text;
}

std::string explain_alert(const ConnectionEnded& ended, const std::string& host, const std::string& where) {
  const std::uint64_t alert = ended.error_code - kTlsFirst;
  if (alert == kNoApplicationProtocol)
    return with_reason(fmt::format("{} does not speak HTTP/3", where), ended);
  if (ended.cause == Cause::peer_close) {
    return with_reason(fmt::format("{} ended the TLS handshake with alert {}", where, alert), ended);
  }
  if (is_about_certificate(alert)) {
    return with_reason(fmt::format("cannot trust the certificate of {}", where), ended) +
           fmt::format(
               "; name its authority with --ca FILE, check that it was made for '{}', or use --insecure",
               host);
  }
  return with_reason(fmt::format("the TLS handshake with {} failed with alert {}", where, alert), ended);
}

}  // namespace

bool is_worth_another_address(const ConnectionEnded& ended) {
  return ended.cause == Cause::unreachable || ended.cause == Cause::handshake_timeout;
}

std::string explain_failure(const ConnectionEnded& ended, const std::string& host, const Address& remote,
                            Duration deadline) {
  const std::string where = fmt::format("{} ({})", host, remote.to_string());
  switch (ended.cause) {
    case Cause::unreachable:
      return fmt::format("cannot reach {}: connection refused; is a server listening on UDP port {}?", where,
                         remote.port());
    case Cause::handshake_timeout:
      return fmt::format(
          "no handshake with {} within {:.0f} s; check the address, and that nothing on the way drops UDP",
          where, to_seconds(deadline));
    case Cause::idle_timeout:
      return fmt::format("{} fell silent", where);
    case Cause::version_mismatch:
      return fmt::format("{} speaks no version of QUIC that quell knows", where);
    case Cause::stateless_reset:
      return fmt::format("{} has forgotten the connection (stateless reset)", where);
    case Cause::local_close:
      return with_reason(fmt::format("the connection to {} was closed", where), ended);
    case Cause::peer_close:
    case Cause::local_error:
      break;
  }
  if (is_tls_alert(ended)) return explain_alert(ended, host, where);
  const char* who = ended.cause == Cause::peer_close ? "closed by it" : "ended by a fault of it";
  return with_reason(fmt::format("the connection to {} was {} with {}", where, who, code_name(ended)), ended);
}

}  // namespace quell::cli
