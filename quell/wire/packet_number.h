// How does a 62-bit packet number travel in 1 to 4 bytes? (RFC 9000 §17.1, Appendix A.2 and A.3)
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "quell/base/units.h"

namespace quell {

// Bytes needed so that a receiver that has seen nothing above `largest_acked` decodes `number` rightly: 1
// to 4.
std::size_t packet_number_size(PacketNumber number, std::optional<PacketNumber> largest_acked);
// `size` is 1 to 4; `largest_received` is the largest number opened successfully in this space.
PacketNumber decode_packet_number(std::uint64_t truncated, std::size_t size,
                                  std::optional<PacketNumber> largest_received);

}  // namespace quell
