#include "quell/wire/error.h"

namespace quell {

std::string_view to_string(TransportError code) {
  switch (code) {
    case TransportError::no_error:
      return "NO_ERROR";
    case TransportError::internal_error:
      return "INTERNAL_ERROR";
    case TransportError::connection_refused:
      return "CONNECTION_REFUSED";
    case TransportError::flow_control_error:
      return "FLOW_CONTROL_ERROR";
    case TransportError::stream_limit_error:
      return "STREAM_LIMIT_ERROR";
    case TransportError::stream_state_error:
      return "STREAM_STATE_ERROR";
    case TransportError::final_size_error:
      return "FINAL_SIZE_ERROR";
    case TransportError::frame_encoding_error:
      return "FRAME_ENCODING_ERROR";
    case TransportError::transport_parameter_error:
      return "TRANSPORT_PARAMETER_ERROR";
    case TransportError::connection_id_limit_error:
      return "CONNECTION_ID_LIMIT_ERROR";
    case TransportError::protocol_violation:
      return "PROTOCOL_VIOLATION";
    case TransportError::invalid_token:
      return "INVALID_TOKEN";
    case TransportError::application_error:
      return "APPLICATION_ERROR";
    case TransportError::crypto_buffer_exceeded:
      return "CRYPTO_BUFFER_EXCEEDED";
    case TransportError::key_update_error:
      return "KEY_UPDATE_ERROR";
    case TransportError::aead_limit_reached:
      return "AEAD_LIMIT_REACHED";
    case TransportError::no_viable_path:
      return "NO_VIABLE_PATH";
  }
  const auto value = static_cast<std::uint64_t>(code);
  return value >= 0x0100 && value <= 0x01ff ? "CRYPTO_ERROR" : "UNKNOWN";
}

}  // namespace quell
