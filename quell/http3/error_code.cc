#include "quell/http3/error_code.h"

#include <array>
#include <cstdio>

namespace quell::http3 {

std::string to_string(ErrorCode code) {
  switch (code) {
    case ErrorCode::no_error:
      return "H3_NO_ERROR";
    case ErrorCode::general_protocol_error:
      return "H3_GENERAL_PROTOCOL_ERROR";
    case ErrorCode::internal_error:
      return "H3_INTERNAL_ERROR";
    case ErrorCode::stream_creation_error:
      return "H3_STREAM_CREATION_ERROR";
    case ErrorCode::closed_critical_stream:
      return "H3_CLOSED_CRITICAL_STREAM";
    case ErrorCode::frame_unexpected:
      return "H3_FRAME_UNEXPECTED";
    case ErrorCode::frame_error:
      return "H3_FRAME_ERROR";
    case ErrorCode::excessive_load:
      return "H3_EXCESSIVE_LOAD";
    case ErrorCode::id_error:
      return "H3_ID_ERROR";
    case ErrorCode::settings_error:
      return "H3_SETTINGS_ERROR";
    case ErrorCode::missing_settings:
      return "H3_MISSING_SETTINGS";
    case ErrorCode::request_rejected:
      return "H3_REQUEST_REJECTED";
    case ErrorCode::request_cancelled:
      return "H3_REQUEST_CANCELLED";
    case ErrorCode::request_incomplete:
      return "H3_REQUEST_INCOMPLETE";
    case ErrorCode::message_error:
      return "H3_MESSAGE_ERROR";
    case ErrorCode::connect_error:
      return "H3_CONNECT_ERROR";
    case ErrorCode::version_fallback:
      return "H3_VERSION_FALLBACK";
    case ErrorCode::qpack_decompression_failed:
      return "QPACK_DECOMPRESSION_FAILED";
    case ErrorCode::qpack_encoder_stream_error:
      return "QPACK_ENCODER_STREAM_ERROR";
    case ErrorCode::qpack_decoder_stream_error:
      return "QPACK_DECODER_STREAM_ERROR";
  }
  std::array<char, 24> text{};
  std::snprintf(text.data(), text.size(), "0x%llx", static_cast<unsigned long long>(code));
  return text.data();
}

}  // namespace quell::http3
