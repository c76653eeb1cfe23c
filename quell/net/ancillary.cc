#include "quell/net/ancillary.h"

#include <netinet/udp.h>

#include <cstring>

#include "quell/base/check.h"
#include "quell/net/socket_address.h"

namespace quell::net {
namespace {

// Appends control messages; the kernel wants them aligned, which CMSG_SPACE sees to.
class ControlWriter {
 public:
  explicit ControlWriter(ControlBuffer& buffer) : buffer_(buffer) {}

  template <typename T>
  void add(int level, int type, const T& value) {
    QUELL_CHECK(used_ + CMSG_SPACE(sizeof value) <= buffer_.bytes.size());
    auto* header = reinterpret_cast<cmsghdr*>(buffer_.bytes.data() + used_);
    header->cmsg_level = level;
    header->cmsg_type = type;
    header->cmsg_len = CMSG_LEN(sizeof value);
    std::memcpy(CMSG_DATA(header), &value, sizeof value);
    used_ += CMSG_SPACE(sizeof value);
  }
  std::size_t used() const { return used_; }

 private:
  ControlBuffer& buffer_;
  std::size_t used_ = 0;
};

template <typename T>
T data_of(const cmsghdr* header) {
  T value{};
  std::memcpy(&value, CMSG_DATA(header), sizeof value);
  return value;
}

Ecn ecn_of(int tos) {
  return static_cast<Ecn>(tos & 3);
}

// The kernel gives TOS as one byte and TCLASS as an int.
int traffic_class_of(const cmsghdr* header) {
  if (header->cmsg_len >= CMSG_LEN(sizeof(int))) return data_of<int>(header);
  return data_of<std::uint8_t>(header);
}

}  // namespace

std::size_t write_control(const SendControl& control, const Address& remote, ControlBuffer& buffer) {
  ControlWriter out{buffer};
  const bool v4_header = !remote.is_v6() || is_v4_mapped(remote);
  if (control.segment_size != 0) out.add(SOL_UDP, UDP_SEGMENT, control.segment_size);
  if (control.ecn != Ecn::not_ect) {
    out.add(v4_header ? SOL_IP : SOL_IPV6, v4_header ? IP_TOS : IPV6_TCLASS, static_cast<int>(control.ecn));
  }
  if (control.local.family() == Address::Family::v4) {
    in_pktinfo info{};
    std::memcpy(&info.ipi_spec_dst, control.local.ip().data(), sizeof info.ipi_spec_dst);
    out.add(SOL_IP, IP_PKTINFO, info);
  } else if (control.local.is_v6()) {
    in6_pktinfo info{};
    std::memcpy(&info.ipi6_addr, control.local.ip().data(), sizeof info.ipi6_addr);
    out.add(SOL_IPV6, IPV6_PKTINFO, info);
  }
  return out.used();
}

ReceivedControl read_control(msghdr& message) {
  ReceivedControl out;
  for (cmsghdr* header = CMSG_FIRSTHDR(&message); header != nullptr; header = CMSG_NXTHDR(&message, header)) {
    if (header->cmsg_level == SOL_UDP && header->cmsg_type == UDP_GRO) {
      out.segment_size = static_cast<std::size_t>(data_of<int>(header));
    } else if ((header->cmsg_level == SOL_IP && header->cmsg_type == IP_TOS) ||
               (header->cmsg_level == SOL_IPV6 && header->cmsg_type == IPV6_TCLASS)) {
      out.ecn = ecn_of(traffic_class_of(header));
    } else if (header->cmsg_level == SOL_IP && header->cmsg_type == IP_PKTINFO) {
      const auto info = data_of<in_pktinfo>(header);
      std::array<std::uint8_t, 4> ip{};
      std::memcpy(ip.data(), &info.ipi_addr, ip.size());
      out.local = Address::v4(ip, 0);
    } else if (header->cmsg_level == SOL_IPV6 && header->cmsg_type == IPV6_PKTINFO) {
      const auto info = data_of<in6_pktinfo>(header);
      std::array<std::uint8_t, 16> ip{};
      std::memcpy(ip.data(), &info.ipi6_addr, ip.size());
      out.local = Address::v6(ip, 0);
    }
  }
  return out;
}

}  // namespace quell::net
