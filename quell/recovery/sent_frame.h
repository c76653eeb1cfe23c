// What did a packet carry that its owner must hear about again when it is acknowledged or lost?
#pragma once

#include <cstdint>

#include "quell/base/units.h"
#include "quell/wire/frame.h"

namespace quell {

// A note, not the frame: owners hold the content. Which fields count depends on the type:
// STREAM id, offset, length, fin · CRYPTO offset, length · ACK offset = largest acknowledged · frames about
// one stream: id · MAX_STREAMS and STREAMS_BLOCKED: the type tells the kind · NEW_/RETIRE_CONNECTION_ID: id =
// sequence · MAX_*: offset = the limit.
struct SentFrame {
  FrameType type = FrameType::padding;
  bool fin = false;
  std::uint32_t length = 0;
  std::uint64_t id = 0;
  std::uint64_t offset = 0;
};

}  // namespace quell
