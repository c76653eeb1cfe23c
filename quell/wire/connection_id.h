// By what name does an endpoint know a connection? A connection ID of 0 to 20 bytes (RFC 9000 §5.1).
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>

#include "quell/base/check.h"
#include "quell/base/units.h"

namespace quell {

class ConnectionId {
 public:
  static constexpr std::size_t kMaxSize = 20;

  constexpr ConnectionId() = default;
  // `bytes` must not exceed kMaxSize.
  explicit ConnectionId(Bytes bytes) : size_(static_cast<std::uint8_t>(bytes.size())) {
    QUELL_CHECK(bytes.size() <= kMaxSize);
    std::copy(bytes.begin(), bytes.end(), bytes_.begin());
  }

  Bytes bytes() const { return Bytes{bytes_}.first(size_); }
  std::size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  // Lower-case hex, as qlog writes it.
  std::string to_string() const;

  bool operator==(const ConnectionId&) const = default;

 private:
  friend struct ConnectionIdHash;
  // Unused bytes stay zero, so that == may compare all of them.
  std::array<std::uint8_t, kMaxSize> bytes_{};
  std::uint8_t size_ = 0;
};

// A hash that a peer cannot steer, as long as it does not know `key`: peers choose the IDs that clients send
// first.
struct ConnectionIdHash {
  std::uint64_t key = 0;
  std::size_t operator()(const ConnectionId& id) const;
};

// RFC 9000 §10.3.
using StatelessResetToken = std::array<std::uint8_t, 16>;

}  // namespace quell
