// In what units do the parts of quell speak to each other?
#pragma once

#include <compare>
#include <cstdint>
#include <limits>
#include <span>

#include "quell/base/time.h"

namespace quell {

using Bytes = std::span<const std::uint8_t>;
using MutableBytes = std::span<std::uint8_t>;

// A number of bytes: window sizes, bytes in flight, stream offsets and limits.
using ByteCount = std::uint64_t;

// A packet number, full 62 bits, never the truncated form (RFC 9000 §12.3).
using PacketNumber = std::uint64_t;

// A data rate. Zero means "none"; `unlimited()` compares above every other rate.
class Rate {
 public:
  constexpr Rate() = default;
  static constexpr Rate bytes_per_second(double n) { return Rate{n}; }
  static constexpr Rate bits_per_second(double n) { return Rate{n / 8}; }
  static constexpr Rate unlimited() { return Rate{std::numeric_limits<double>::infinity()}; }
  // `over` must be positive.
  static constexpr Rate of(ByteCount bytes, Duration over) {
    return Rate{static_cast<double>(bytes) / to_seconds(over)};
  }

  constexpr double bytes_per_second() const { return bytes_per_second_; }
  constexpr double bits_per_second() const { return bytes_per_second_ * 8; }
  constexpr bool is_zero() const { return bytes_per_second_ <= 0; }
  constexpr bool is_unlimited() const { return bytes_per_second_ == std::numeric_limits<double>::infinity(); }

  // Bytes that pass in `d`. The rate must not be unlimited.
  constexpr ByteCount bytes_in(Duration d) const {
    return static_cast<ByteCount>(bytes_per_second_ * to_seconds(d));
  }
  // Time that `bytes` take; zero when unlimited. The rate must not be zero.
  constexpr Duration time_for(ByteCount bytes) const {
    return from_seconds(static_cast<double>(bytes) / bytes_per_second_);
  }

  constexpr Rate operator*(double factor) const { return Rate{bytes_per_second_ * factor}; }
  constexpr auto operator<=>(const Rate&) const = default;

 private:
  explicit constexpr Rate(double n) : bytes_per_second_(n) {}
  double bytes_per_second_ = 0;
};

}  // namespace quell
