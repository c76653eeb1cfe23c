// What may an end of HTTP/3 accuse the other of? The codes of RFC 9114 §8.1 and RFC 9204 §6.
#pragma once

#include <cstdint>
#include <string>

namespace quell::http3 {

enum class ErrorCode : std::uint64_t {
  no_error = 0x0100,
  general_protocol_error = 0x0101,
  internal_error = 0x0102,
  stream_creation_error = 0x0103,
  closed_critical_stream = 0x0104,
  frame_unexpected = 0x0105,
  frame_error = 0x0106,
  excessive_load = 0x0107,
  id_error = 0x0108,
  settings_error = 0x0109,
  missing_settings = 0x010a,
  request_rejected = 0x010b,
  request_cancelled = 0x010c,
  request_incomplete = 0x010d,
  message_error = 0x010e,
  connect_error = 0x010f,
  version_fallback = 0x0110,
  qpack_decompression_failed = 0x0200,
  qpack_encoder_stream_error = 0x0201,
  qpack_decoder_stream_error = 0x0202,
};
// The RFC's name, or "0x…" for codes that we do not know (they count as H3_NO_ERROR).
std::string to_string(ErrorCode code);

}  // namespace quell::http3
