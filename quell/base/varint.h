// How long is a variable-length integer? (RFC 9000 §16)
#pragma once

#include <cstddef>
#include <cstdint>

namespace quell {

inline constexpr std::uint64_t kVarintMax = (std::uint64_t{1} << 62) - 1;

// The shortest encoding's length: 1, 2, 4 or 8. `value` must not exceed kVarintMax.
constexpr std::size_t varint_size(std::uint64_t value) {
  return value < 64 ? 1 : value < 16384 ? 2 : value < (1U << 30) ? 4 : 8;
}

}  // namespace quell
