// What travels beside a datagram? ECN bits, the local address and the segment size, as control messages.
#pragma once

#include <netinet/in.h>
#include <sys/socket.h>

#include <array>
#include <cstddef>
#include <cstdint>

#include "quell/base/address.h"
#include "quell/wire/types.h"

namespace quell::net {

// Room for all that we ask for: segment size, TOS or TCLASS, packet info of either family.
inline constexpr std::size_t kControlSize = CMSG_SPACE(sizeof(std::uint16_t)) + 2 * CMSG_SPACE(sizeof(int)) +
                                            CMSG_SPACE(sizeof(in6_pktinfo)) + CMSG_SPACE(sizeof(in_pktinfo));

// Kernel-aligned storage for control messages.
struct alignas(cmsghdr) ControlBuffer {
  std::array<std::uint8_t, kControlSize> bytes{};
};

struct SendControl {
  Ecn ecn = Ecn::not_ect;
  std::uint16_t segment_size = 0;  // zero: one datagram
  Address local;                   // none: the kernel chooses
};
// Fills `buffer` and gives the length used; zero when there is nothing to say.
std::size_t write_control(const SendControl& control, const Address& remote, ControlBuffer& buffer);

struct ReceivedControl {
  Ecn ecn = Ecn::not_ect;
  std::size_t segment_size = 0;  // zero: the message is one datagram
  Address local;                 // without a port; none when the kernel said nothing
};
ReceivedControl read_control(msghdr& message);

}  // namespace quell::net
