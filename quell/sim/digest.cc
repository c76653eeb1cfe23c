#include "quell/sim/digest.h"

namespace quell::sim {

std::string to_hex(std::uint64_t digest) {
  std::string text(16, '0');
  for (std::size_t i = 0; i < text.size(); ++i) text[i] = "0123456789abcdef"[digest >> (60 - 4 * i) & 15];
  return text;
}

}  // namespace quell::sim
