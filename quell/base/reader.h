// What does this byte string say? A cursor that can be asked once, at the end, whether all reads fitted.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

#include "quell/base/big_endian.h"
#include "quell/base/units.h"

namespace quell {

// Reads big-endian fields. After a read past the end every later read gives zero or an empty span and `ok()`
// is false; so read every field, then ask once.
class Reader {
 public:
  explicit Reader(Bytes data) : data_(data) {}

  bool ok() const { return ok_; }
  bool empty() const { return position_ == data_.size(); }
  std::size_t position() const { return position_; }
  std::size_t remaining() const { return data_.size() - position_; }
  Bytes rest() const { return data_.subspan(position_); }

  std::uint8_t u8() { return static_cast<std::uint8_t>(big_endian(1)); }
  std::uint16_t u16() { return static_cast<std::uint16_t>(big_endian(2)); }
  std::uint32_t u32() { return static_cast<std::uint32_t>(big_endian(4)); }
  std::uint64_t u64() { return big_endian(8); }
  // RFC 9000 §16; any length is accepted.
  std::uint64_t varint() {
    if (empty()) return fail();
    switch (data_[position_] >> 6) {
      case 0:
        return data_[position_++];
      case 1:
        return big_endian(2) & 0x3fff;
      case 2:
        return big_endian(4) & 0x3fffffff;
      default:
        return big_endian(8) & 0x3fffffffffffffff;
    }
  }
  // A view into the data; empty after failure.
  Bytes bytes(std::uint64_t count) {
    if (count > remaining()) {
      fail();
      return {};
    }
    const Bytes view = data_.subspan(position_, static_cast<std::size_t>(count));
    position_ += static_cast<std::size_t>(count);
    return view;
  }
  void skip(std::uint64_t count) { bytes(count); }

 private:
  std::uint64_t fail() {
    ok_ = false;
    position_ = data_.size();
    return 0;
  }
  // 1 to 8 bytes.
  std::uint64_t big_endian(std::size_t count) {
    if (count > remaining()) return fail();
    std::uint64_t raw = 0;  // one load and one swap where `count` is a constant: varints are the hot path
    std::memcpy(&raw, data_.data() + position_, count);
    position_ += count;
    return from_big_endian(raw) >> (64 - 8 * count);
  }

  Bytes data_;
  std::size_t position_ = 0;
  bool ok_ = true;
};

}  // namespace quell
