// How are fields laid out into a caller's buffer? A cursor; whoever writes has asked `remaining()` before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "quell/base/big_endian.h"
#include "quell/base/check.h"
#include "quell/base/units.h"
#include "quell/base/varint.h"

namespace quell {

// Writes big-endian fields. Writing past the end is our own bug and stops the process.
class Writer {
 public:
  explicit Writer(MutableBytes buffer) : buffer_(buffer) {}

  std::size_t position() const { return position_; }
  std::size_t remaining() const { return buffer_.size() - position_; }
  MutableBytes written() const { return buffer_.first(position_); }
  MutableBytes rest() const { return buffer_.subspan(position_); }

  void u8(std::uint8_t v) { big_endian(v, 1); }
  void u16(std::uint16_t v) { big_endian(v, 2); }
  void u32(std::uint32_t v) { big_endian(v, 4); }
  void u64(std::uint64_t v) { big_endian(v, 8); }
  // The low `count` bytes of v, 1 to 8 of them.
  void big_endian(std::uint64_t v, std::size_t count) {
    QUELL_CHECK(count <= remaining());
    const std::uint64_t raw = to_big_endian(v << (64 - 8 * count));
    std::memcpy(buffer_.data() + position_, &raw, count);
    position_ += count;
  }
  // Shortest form (RFC 9000 §16).
  void varint(std::uint64_t v) { varint_of_size(v, varint_size(v)); }
  // A chosen length, for length fields that are patched later; it must be 1, 2, 4 or 8 and large enough.
  void varint_of_size(std::uint64_t v, std::size_t size) {
    QUELL_CHECK(v <= kVarintMax);
    QUELL_CHECK(varint_size(v) <= size);
    switch (size) {
      case 1:
        return big_endian(v, 1);
      case 2:
        return big_endian(v | 0x4000, 2);
      case 4:
        return big_endian(v | 0x80000000, 4);
      default:
        return big_endian(v | 0xc000000000000000, 8);
    }
  }
  void bytes(Bytes data) {
    QUELL_CHECK(data.size() <= remaining());
    if (!data.empty()) std::memcpy(buffer_.data() + position_, data.data(), data.size());
    position_ += data.size();
  }
  void fill(std::uint8_t value, std::size_t count) {
    QUELL_CHECK(count <= remaining());
    std::memset(buffer_.data() + position_, value, count);
    position_ += count;
  }
  // Room that is written later through `written()`.
  void advance(std::size_t count) {
    QUELL_CHECK(count <= remaining());
    position_ += count;
  }

 private:
  MutableBytes buffer_;
  std::size_t position_ = 0;
};

}  // namespace quell
