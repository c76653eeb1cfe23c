// How is a peer's mistake told? As a value with the RFC's code; the connection is closed in one place.
#pragma once

#include <cstdint>
#include <expected>
#include <string_view>

namespace quell {

// RFC 9000 §20.1. 0x0100–0x01ff is CRYPTO_ERROR: `crypto_error(alert)`.
enum class TransportError : std::uint64_t {
  no_error = 0x00,
  internal_error = 0x01,
  connection_refused = 0x02,
  flow_control_error = 0x03,
  stream_limit_error = 0x04,
  stream_state_error = 0x05,
  final_size_error = 0x06,
  frame_encoding_error = 0x07,
  transport_parameter_error = 0x08,
  connection_id_limit_error = 0x09,
  protocol_violation = 0x0a,
  invalid_token = 0x0b,
  application_error = 0x0c,
  crypto_buffer_exceeded = 0x0d,
  key_update_error = 0x0e,
  aead_limit_reached = 0x0f,
  no_viable_path = 0x10,
};
constexpr TransportError crypto_error(std::uint8_t tls_alert) {
  return static_cast<TransportError>(0x0100 + tls_alert);
}
// The RFC's name, "CRYPTO_ERROR" for the whole block, "UNKNOWN" otherwise.
std::string_view to_string(TransportError code);

struct Error {
  TransportError code = TransportError::internal_error;
  // A literal, for people.
  std::string_view reason;
  // The frame type that was at fault, 0 when unknown (RFC 9000 §19.19).
  std::uint64_t frame_type = 0;
};

template <typename T>
using Result = std::expected<T, Error>;

inline std::unexpected<Error> fail(TransportError code, std::string_view reason,
                                   std::uint64_t frame_type = 0) {
  return std::unexpected(Error{code, reason, frame_type});
}

}  // namespace quell
