// How does the qlog draft spell the frames of a packet? (draft-ietf-quic-qlog-quic-events-13, "QUIC Frames")
#pragma once

#include "quell/base/time.h"
#include "quell/base/units.h"
#include "quell/qlog/json_text.h"
#include "quell/wire/frame.h"

namespace quell::qlog {

// Adds one array element. `ack_delay_exponent` is that of the side that sent the frame.
void write_frame(JsonText& json, const Frame& frame, std::uint64_t ack_delay_exponent);

// Adds `"frames":[…]` for a plaintext payload. Bytes that cannot be read as a frame that `packet` may carry
// end the list with an "unknown" frame: a broken packet is logged as far as it can be read.
void write_frames(JsonText& json, Bytes payload, PacketType packet, std::uint64_t ack_delay_exponent);

}  // namespace quell::qlog
