#include "quell/wire/packet_number.h"

#include "quell/base/check.h"
#include "quell/base/varint.h"

namespace quell {

std::size_t packet_number_size(PacketNumber number, std::optional<PacketNumber> largest_acked) {
  QUELL_CHECK(number <= kVarintMax);
  QUELL_CHECK(!largest_acked || number > *largest_acked);
  const std::uint64_t unacked = largest_acked ? number - *largest_acked : number + 1;
  // The text of §17.1 wants *more than* twice the range, which at exact powers of two is one byte more than
  // the sample of Appendix A.2 gives.
  for (std::size_t size = 1; size < 4; ++size) {
    if (unacked * 2 < std::uint64_t{1} << (8 * size)) return size;
  }
  return 4;
}

PacketNumber decode_packet_number(std::uint64_t truncated, std::size_t size,
                                  std::optional<PacketNumber> largest_received) {
  QUELL_CHECK(size >= 1);
  QUELL_CHECK(size <= 4);
  const PacketNumber expected = largest_received ? *largest_received + 1 : 0;
  const std::uint64_t window = std::uint64_t{1} << (8 * size);
  const std::uint64_t half = window / 2;
  const PacketNumber candidate = (expected & ~(window - 1)) | (truncated & (window - 1));
  if (candidate + half <= expected && candidate <= kVarintMax - window) return candidate + window;
  if (candidate > expected + half && candidate >= window) return candidate - window;
  return candidate;
}

}  // namespace quell
