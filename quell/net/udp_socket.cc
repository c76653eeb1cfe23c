#include "quell/net/udp_socket.h"

#include <netinet/udp.h>
#include <sys/socket.h>

#include <algorithm>
#include <cerrno>

#include "quell/net/socket_address.h"

namespace quell::net {
namespace {

constexpr std::size_t kMessageBytes = std::size_t{64} * 1024;

std::error_code last_error() {
  return {errno, std::system_category()};
}

std::unexpected<std::error_code> fail_with_errno() {
  return std::unexpected(last_error());
}

bool set_option(int fd, int level, int name, int value) {
  return ::setsockopt(fd, level, name, &value, sizeof value) == 0;
}

// The limit of the system counts unless we may force it.
void enlarge_buffers(int fd) {
  if (!set_option(fd, SOL_SOCKET, SO_RCVBUFFORCE, kSocketBufferBytes)) {
    set_option(fd, SOL_SOCKET, SO_RCVBUF, kSocketBufferBytes);
  }
  if (!set_option(fd, SOL_SOCKET, SO_SNDBUFFORCE, kSocketBufferBytes)) {
    set_option(fd, SOL_SOCKET, SO_SNDBUF, kSocketBufferBytes);
  }
}

// What is missing on an old kernel costs speed or ECN, not correctness, so failures are not errors.
// Fragmentation is forbidden (RFC 9000 §14); PROBE keeps forged ICMP messages from shrinking the path's MTU
// behind our back.
void ask_for_facts(int fd, Address::Family family, bool wants_local) {
  set_option(fd, SOL_UDP, UDP_GRO, 1);
  set_option(fd, SOL_IP, IP_RECVTOS, 1);
  set_option(fd, SOL_IP, IP_MTU_DISCOVER, IP_PMTUDISC_PROBE);
  if (wants_local && family == Address::Family::v4) set_option(fd, SOL_IP, IP_PKTINFO, 1);
  if (family != Address::Family::v6) return;
  set_option(fd, SOL_IPV6, IPV6_RECVTCLASS, 1);
  set_option(fd, SOL_IPV6, IPV6_MTU_DISCOVER, IPV6_PMTUDISC_PROBE);
  if (wants_local) set_option(fd, SOL_IPV6, IPV6_RECVPKTINFO, 1);
}

std::expected<Address, std::error_code> name_of(int fd) {
  SocketAddress name;
  name.size = sizeof name.storage;
  if (::getsockname(fd, name.get(), &name.size) != 0) return fail_with_errno();
  return from_kernel(name.storage);
}

// Errors by which the kernel or the device says that it cannot segment: EIO without checksum offload, EINVAL
// from old kernels, EMSGSIZE when a segment does not fit the device.
bool says_no_gso(const std::error_code& error) {
  return error.value() == EIO || error.value() == EINVAL || error.value() == EMSGSIZE ||
         error.value() == EOPNOTSUPP;
}

}  // namespace

ReceiveBatch::ReceiveBatch(std::size_t messages)
    : storage_(messages * kMessageBytes, 0xff),
      messages_(messages),
      headers_(messages),
      vectors_(messages),
      names_(messages),
      controls_(messages) {
  for (std::size_t i = 0; i != messages; ++i) {
    vectors_[i] = iovec{storage_.data() + i * kMessageBytes, kMessageBytes};
  }
}

UdpSocket::UdpSocket(FileDescriptor fd, const Address& local, const Address& remote)
    : fd_(std::move(fd)), local_(local), remote_(remote), local_is_wildcard_(is_wildcard(local)) {}

std::expected<UdpSocket, std::error_code> UdpSocket::bind(const Address& local) {
  return open(local.family(), &local, nullptr);
}

std::expected<UdpSocket, std::error_code> UdpSocket::connect(const Address& remote) {
  return open(remote.family(), nullptr, &remote);
}

std::expected<UdpSocket, std::error_code> UdpSocket::open(Address::Family family, const Address* local,
                                                          const Address* remote) {
  const int domain = family == Address::Family::v6 ? AF_INET6 : AF_INET;
  FileDescriptor fd{::socket(domain, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0)};
  if (!fd.is_open()) return fail_with_errno();
  enlarge_buffers(fd.get());
  ask_for_facts(fd.get(), family, local != nullptr && is_wildcard(*local));
  if (local != nullptr) {
    if (domain == AF_INET6) set_option(fd.get(), SOL_IPV6, IPV6_V6ONLY, is_wildcard(*local) ? 0 : 1);
    const SocketAddress name = to_kernel(*local);
    if (::bind(fd.get(), name.get(), name.size) != 0) return fail_with_errno();
  }
  if (remote != nullptr) {
    const SocketAddress name = to_kernel(*remote);
    if (::connect(fd.get(), name.get(), name.size) != 0) return fail_with_errno();
  }
  const auto bound = name_of(fd.get());
  if (!bound) return std::unexpected(bound.error());
  return UdpSocket{std::move(fd), *bound, remote != nullptr ? *remote : Address{}};
}

std::error_code UdpSocket::receive(ReceiveBatch& batch) {
  batch.count_ = 0;
  for (std::size_t i = 0; i != batch.headers_.size(); ++i) {
    msghdr& header = batch.headers_[i].msg_hdr;
    header.msg_name = &batch.names_[i];
    header.msg_namelen = sizeof batch.names_[i];
    header.msg_iov = &batch.vectors_[i];
    header.msg_iovlen = 1;
    header.msg_control = batch.controls_[i].bytes.data();
    header.msg_controllen = batch.controls_[i].bytes.size();
    header.msg_flags = 0;
  }
  const int received = ::recvmmsg(fd_.get(), batch.headers_.data(),
                                  static_cast<unsigned>(batch.headers_.size()), MSG_DONTWAIT, nullptr);
  if (received < 0) {
    if (errno == EAGAIN || errno == EINTR) return {};
    return last_error();
  }
  for (int i = 0; i != received; ++i) {
    mmsghdr& header = batch.headers_[static_cast<std::size_t>(i)];
    if (header.msg_len == 0 || (header.msg_hdr.msg_flags & MSG_TRUNC) != 0) continue;
    const ReceivedControl control = read_control(header.msg_hdr);
    ReceiveBatch::Message& message = batch.messages_[batch.count_++];
    message.bytes = {static_cast<std::uint8_t*>(header.msg_hdr.msg_iov->iov_base), header.msg_len};
    message.segment_size = control.segment_size != 0 ? control.segment_size : header.msg_len;
    message.local =
        control.local.family() == Address::Family::none ? local_ : control.local.with_port(local_.port());
    message.remote = from_kernel(batch.names_[static_cast<std::size_t>(i)]);
    message.ecn = control.ecn;
  }
  return {};
}

std::error_code UdpSocket::send(const Transmit& transmit, Bytes bytes) {
  const bool is_burst = bytes.size() > transmit.segment_size;
  if (!is_burst) return send_message(transmit, bytes, 0);
  if (gso_) {
    const std::error_code error = send_message(transmit, bytes, transmit.segment_size);
    if (!says_no_gso(error)) return error;
    gso_ = false;
  }
  return send_singly(transmit, bytes);
}

std::error_code UdpSocket::send_message(const Transmit& transmit, Bytes bytes, std::size_t segment_size) {
  iovec vector{const_cast<std::uint8_t*>(bytes.data()), bytes.size()};
  ControlBuffer buffer;
  const SendControl control{.ecn = transmit.ecn,
                            .segment_size = static_cast<std::uint16_t>(segment_size),
                            .local = local_is_wildcard_ && !is_connected() ? transmit.local : Address{}};
  SocketAddress name;
  msghdr message{};
  if (!is_connected()) {
    name = to_kernel(transmit.remote);
    message.msg_name = name.get();
    message.msg_namelen = name.size;
  }
  message.msg_iov = &vector;
  message.msg_iovlen = 1;
  message.msg_controllen = write_control(control, transmit.remote, buffer);
  message.msg_control = message.msg_controllen != 0 ? buffer.bytes.data() : nullptr;
  ssize_t sent = 0;
  do {
    sent = ::sendmsg(fd_.get(), &message, 0);
  } while (sent < 0 && errno == EINTR);
  return sent < 0 ? last_error() : std::error_code{};
}

// A datagram that is refused half-way through a burst is lost, which QUIC repairs; the first one decides
// whether to wait.
std::error_code UdpSocket::send_singly(const Transmit& transmit, Bytes bytes) {
  std::error_code first_error;
  bool is_first = true;
  while (!bytes.empty()) {
    const std::size_t size = std::min(bytes.size(), transmit.segment_size);
    const std::error_code error = send_message(transmit, bytes.first(size), 0);
    if (error && is_first) return error;
    if (error && !first_error && error != std::errc::resource_unavailable_try_again) first_error = error;
    is_first = false;
    bytes = bytes.subspan(size);
  }
  return first_error;
}

}  // namespace quell::net
