// How are fields laid out into a caller's buffer? A cursor; whoever writes has asked `remaining()` before.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

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
  // The low `count` bytes of v.
  void big_endian(std::uint64_t v, std::size_t count) {
    QUELL_CHECK(count <= remaining());
    for (std::size_t i = 0; i < count; ++i) {
      buffer_[position_ + i] = static_cast<std::uint8_t>(v >> (8 * (count - 1 - i)));
    }
    position_ += count;
  }
  // Shortest form (RFC 9000 §16).
  void varint(std::uint64_t v) { varint_of_size(v, varint_size(v)); }
  // A chosen length, for length fields that are patched later; it must be 1, 2, 4 or 8 and large enough.
  void varint_of_size(std::uint64_t v, std::size_t size) {
    QUELL_CHECK(v <= kVarintMax);
    QUELL_CHECK(varint_size(v) <= size);
    const std::uint64_t prefix = size == 1 ? 0 : size == 2 ? 1 : size == 4 ? 2 : 3;
    big_endian(v | prefix << (8 * size - 2), size);
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
