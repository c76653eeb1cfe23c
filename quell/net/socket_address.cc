#include "quell/net/socket_address.h"

#include <algorithm>
#include <array>
#include <cstring>

namespace quell::net {

SocketAddress to_kernel(const Address& address) {
  SocketAddress out;
  if (address.is_v6()) {
    sockaddr_in6 in{};
    in.sin6_family = AF_INET6;
    in.sin6_port = htons(address.port());
    std::memcpy(&in.sin6_addr, address.ip().data(), sizeof in.sin6_addr);
    std::memcpy(&out.storage, &in, sizeof in);
    out.size = sizeof in;
  } else {
    sockaddr_in in{};
    in.sin_family = AF_INET;
    in.sin_port = htons(address.port());
    std::memcpy(&in.sin_addr, address.ip().data(), sizeof in.sin_addr);
    std::memcpy(&out.storage, &in, sizeof in);
    out.size = sizeof in;
  }
  return out;
}

Address from_kernel(const sockaddr_storage& storage) {
  if (storage.ss_family == AF_INET) {
    sockaddr_in in{};
    std::memcpy(&in, &storage, sizeof in);
    std::array<std::uint8_t, 4> ip{};
    std::memcpy(ip.data(), &in.sin_addr, ip.size());
    return Address::v4(ip, ntohs(in.sin_port));
  }
  if (storage.ss_family == AF_INET6) {
    sockaddr_in6 in{};
    std::memcpy(&in, &storage, sizeof in);
    std::array<std::uint8_t, 16> ip{};
    std::memcpy(ip.data(), &in.sin6_addr, ip.size());
    return Address::v6(ip, ntohs(in.sin6_port));
  }
  return {};
}

bool is_v4_mapped(const Address& address) {
  constexpr std::array<std::uint8_t, 12> kPrefix{0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff};
  return address.is_v6() && std::equal(kPrefix.begin(), kPrefix.end(), address.ip().begin());
}

bool is_wildcard(const Address& address) {
  return std::ranges::all_of(address.ip(), [](std::uint8_t b) { return b == 0; });
}

}  // namespace quell::net
