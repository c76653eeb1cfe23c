#include "quell/cc/controller.h"

#include <algorithm>

namespace quell::cc {

ByteCount initial_window(const Config& config) {
  const ByteCount size = config.max_datagram_size;
  const ByteCount least = kLeastWindowPackets * size;
  if (config.initial_window != 0) return std::max(config.initial_window, least);
  return std::min(10 * size, std::max<ByteCount>(14'720, least));
}

}  // namespace quell::cc
