// Why could we not talk to the server, and what can the user do about it?
#pragma once

#include <string>

#include "quell/base/address.h"
#include "quell/base/time.h"
#include "quell/connection/event.h"

namespace quell::cli {

// May another address of the same host do better?
bool is_worth_another_address(const ConnectionEnded& ended);

// One sentence: what, where, what to do. `deadline` is the one that the handshake had.
std::string explain_failure(const ConnectionEnded& ended, const std::string& host, const Address& remote,
                            Duration deadline);

}  // namespace quell::cli
