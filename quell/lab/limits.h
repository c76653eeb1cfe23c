// What held the transfer back: the window, flow control, the application, the link or a processor? What a
// reader of any throughput figure needs first.
#pragma once

#include <cstdint>
#include <string>

#include "quell/lab/measures.h"

namespace quell::lab {

enum class Limit : std::uint8_t { window, flow_control, application, link, cpu };
const char* to_string(Limit limit);

// Between the server's confirmed handshake and the end of the work: a link or a processor (of either host)
// that is busy for 90 % of the time, otherwise what held the sender for most of it: its window (the pacer,
// which spreads it, included), flow control, or an application that had nothing to send.
Limit binding_limit(const Measures& measures);
// "link 96 %, window 99 %": the binding one first, then what else took 5 % or more. The sender's own three
// exclude each other; link and processor are as busy as they are.
std::string describe_limits(const Measures& measures);

}  // namespace quell::lab
