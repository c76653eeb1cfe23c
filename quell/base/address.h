// Who is at the other end? An IPv4 or IPv6 address and a port, as a value that knows no sockets.
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "quell/base/units.h"

namespace quell {

class Address {
 public:
  enum class Family : std::uint8_t { none, v4, v6 };

  constexpr Address() = default;
  static Address v4(std::array<std::uint8_t, 4> ip, std::uint16_t port);
  static Address v6(std::array<std::uint8_t, 16> ip, std::uint16_t port);
  // "127.0.0.1:443", "[::1]:443". Nothing for anything else; names are not looked up.
  static std::optional<Address> parse(std::string_view text);

  Family family() const { return family_; }
  bool is_v6() const { return family_ == Family::v6; }
  // 4 or 16 bytes in network order.
  Bytes ip() const { return Bytes{ip_}.first(is_v6() ? 16 : 4); }
  std::uint16_t port() const { return port_; }
  Address with_port(std::uint16_t port) const;
  std::string to_string() const;

  auto operator<=>(const Address&) const = default;

 private:
  std::array<std::uint8_t, 16> ip_{};
  std::uint16_t port_ = 0;
  Family family_ = Family::none;
};

}  // namespace quell
