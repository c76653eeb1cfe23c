// How does the kernel spell an address?
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include "quell/base/address.h"

namespace quell::net {

struct SocketAddress {
  sockaddr_storage storage{};
  socklen_t size = 0;

  const sockaddr* get() const { return reinterpret_cast<const sockaddr*>(&storage); }
  sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage); }
};

SocketAddress to_kernel(const Address& address);
// No address for families other than IPv4 and IPv6.
Address from_kernel(const sockaddr_storage& storage);
// ::ffff:a.b.c.d, an IPv4 peer of a dual-stack socket: its packets carry an IPv4 header.
bool is_v4_mapped(const Address& address);
// 0.0.0.0 or ::.
bool is_wildcard(const Address& address);

}  // namespace quell::net
