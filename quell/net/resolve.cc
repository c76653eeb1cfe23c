#include "quell/net/resolve.h"

#include <netdb.h>

#include <cerrno>
#include <cstring>
#include <memory>

#include "quell/net/socket_address.h"

namespace quell::net {
namespace {

class ResolverCategory final : public std::error_category {
 public:
  const char* name() const noexcept override { return "resolver"; }
  std::string message(int code) const override { return ::gai_strerror(code); }
};

Address address_of(const addrinfo& info) {
  sockaddr_storage storage{};
  std::memcpy(&storage, info.ai_addr, info.ai_addrlen);
  return from_kernel(storage);
}

}  // namespace

const std::error_category& resolver_category() {
  static const ResolverCategory category;
  return category;
}

std::expected<std::vector<Address>, std::error_code> resolve(const std::string& host, std::uint16_t port) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_DGRAM;
  hints.ai_flags = AI_NUMERICSERV;
  addrinfo* found = nullptr;
  const int code = ::getaddrinfo(host.c_str(), std::to_string(port).c_str(), &hints, &found);
  if (code == EAI_SYSTEM) return std::unexpected(std::error_code{errno, std::system_category()});
  if (code != 0) return std::unexpected(std::error_code{code, resolver_category()});
  const std::unique_ptr<addrinfo, void (*)(addrinfo*)> owner{found, ::freeaddrinfo};

  std::vector<Address> addresses;
  for (const addrinfo* info = found; info != nullptr; info = info->ai_next) {
    const Address address = address_of(*info);
    if (address.family() != Address::Family::none) addresses.push_back(address);
  }
  return addresses;
}

}  // namespace quell::net
