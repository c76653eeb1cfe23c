#include "quell/base/address.h"

#include <arpa/inet.h>

#include <algorithm>
#include <charconv>

namespace quell {

Address Address::v4(std::array<std::uint8_t, 4> ip, std::uint16_t port) {
  Address a;
  std::copy(ip.begin(), ip.end(), a.ip_.begin());
  a.port_ = port;
  a.family_ = Family::v4;
  return a;
}

Address Address::v6(std::array<std::uint8_t, 16> ip, std::uint16_t port) {
  Address a;
  a.ip_ = ip;
  a.port_ = port;
  a.family_ = Family::v6;
  return a;
}

std::optional<Address> Address::parse(std::string_view text) {
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) return std::nullopt;
  const std::string_view port_text = text.substr(colon + 1);
  std::uint16_t port = 0;
  const auto [end, failure] = std::from_chars(port_text.data(), port_text.data() + port_text.size(), port);
  if (failure != std::errc{} || end != port_text.data() + port_text.size()) return std::nullopt;

  std::string host{text.substr(0, colon)};
  if (host.size() >= 2 && host.front() == '[' && host.back() == ']') {
    host = host.substr(1, host.size() - 2);
    std::array<std::uint8_t, 16> ip{};
    if (inet_pton(AF_INET6, host.c_str(), ip.data()) != 1) return std::nullopt;
    return v6(ip, port);
  }
  std::array<std::uint8_t, 4> ip{};
  if (inet_pton(AF_INET, host.c_str(), ip.data()) != 1) return std::nullopt;
  return v4(ip, port);
}

Address Address::with_port(std::uint16_t port) const {
  Address a = *this;
  a.port_ = port;
  return a;
}

std::string Address::to_string() const {
  if (family_ == Family::none) return "(no address)";
  std::array<char, INET6_ADDRSTRLEN> text{};
  inet_ntop(is_v6() ? AF_INET6 : AF_INET, ip_.data(), text.data(), text.size());
  const std::string host = text.data();
  return (is_v6() ? "[" + host + "]" : host) + ":" + std::to_string(port_);
}

}  // namespace quell
