// What is the next frame of this payload, and may it stand here? (RFC 9000 §12.4, §19)
#pragma once

#include "quell/base/reader.h"
#include "quell/wire/error.h"
#include "quell/wire/frame.h"

namespace quell {

// Reads one frame; the payload must not be empty. Errors: FRAME_ENCODING_ERROR for truncated or impossible fields,
// unknown types and a type not in its shortest encoding (§12.4 leaves PROTOCOL_VIOLATION to us there); PROTOCOL_VIOLATION for
// a frame that its packet type forbids. An ACK's ranges are checked whole: none may reach below zero.
Result<Frame> read_frame(Reader& payload, PacketType packet);

}  // namespace quell
