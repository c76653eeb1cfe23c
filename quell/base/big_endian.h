// How does a number lie in memory on the wire? Most significant byte first, whatever this machine does.
#pragma once

#include <bit>
#include <cstdint>

namespace quell {

constexpr std::uint64_t to_big_endian(std::uint64_t v) {
  if constexpr (std::endian::native == std::endian::big) return v;
  return __builtin_bswap64(v);  // std::byteswap is C++23, and cc/ is built as C++20 too
}
constexpr std::uint64_t from_big_endian(std::uint64_t v) {
  return to_big_endian(v);
}

}  // namespace quell
