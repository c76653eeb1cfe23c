// What is the next frame of this payload, and may it stand here? (RFC 9000 §12.4, §19)
#pragma once

#include "quell/base/reader.h"
#include "quell/wire/error.h"
#include "quell/wire/frame.h"

namespace quell {

// Reads one frame; asked for one at the payload's end, it says truncated. A run of PADDING bytes is one
// frame. Errors: FRAME_ENCODING_ERROR for truncated or impossible fields and unknown types;
// PROTOCOL_VIOLATION for a type not in its shortest encoding (§12.4) and for a frame that its packet type
// forbids. An ACK's ranges are checked whole: none may reach below zero. Views point into the payload.
Result<Frame> read_frame(Reader& payload, PacketType packet);

}  // namespace quell
