// Which addresses has a name?
#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <system_error>
#include <vector>

#include "quell/base/address.h"

namespace quell::net {

// Of getaddrinfo's EAI_ codes.
const std::error_category& resolver_category();

// Literals and names, in the system's order of preference (RFC 6724). Blocks while the resolver asks.
std::expected<std::vector<Address>, std::error_code> resolve(const std::string& host, std::uint16_t port);

}  // namespace quell::net
