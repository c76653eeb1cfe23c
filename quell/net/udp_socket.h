// How do bursts of datagrams cross the kernel with few system calls? GSO out, GRO in, ECN and addresses
// beside them.
#pragma once

#include <sys/uio.h>

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <system_error>
#include <vector>

#include "quell/base/address.h"
#include "quell/base/units.h"
#include "quell/connection/endpoint.h"
#include "quell/net/ancillary.h"
#include "quell/net/file_descriptor.h"

namespace quell::net {

// What UDP over IPv4 can carry in one sendmsg, and so the largest burst for UDP_SEGMENT.
inline constexpr std::size_t kMaxBurstBytes = 65507;
// UDP_MAX_SEGMENTS of Linux; newer kernels take 128.
inline constexpr std::size_t kMaxBurstSegments = 64;
// Choice: what rmem_max and wmem_max allow on common servers.
inline constexpr int kSocketBufferBytes = 4 << 20;

// Where received messages lie until they are handled. Allocated and touched once: the first touch of a page
// is dear.
class ReceiveBatch {
 public:
  // Choice: eight messages of 64 KiB keep a batch within a second-level cache and give ACKs a chance between
  // batches.
  explicit ReceiveBatch(std::size_t messages = 8);

  // A message that the kernel may have coalesced from datagrams of `segment_size` (the last may be shorter).
  struct Message {
    MutableBytes bytes;
    std::size_t segment_size = 0;
    Address local;
    Address remote;
    Ecn ecn = Ecn::not_ect;
  };
  std::span<const Message> messages() const { return std::span{messages_}.first(count_); }
  bool is_full() const { return count_ == messages_.size(); }

  // Calls `handle(Datagram)` for every datagram, in order of arrival.
  template <typename Handle>
  void for_each_datagram(Handle&& handle) const {
    for (const Message& message : messages()) {
      MutableBytes rest = message.bytes;
      while (!rest.empty()) {
        const std::size_t size = message.segment_size < rest.size() ? message.segment_size : rest.size();
        handle(Datagram{rest.first(size), message.local, message.remote, message.ecn});
        rest = rest.subspan(size);
      }
    }
  }

 private:
  friend class UdpSocket;
  std::vector<std::uint8_t> storage_;
  std::vector<Message> messages_;
  std::size_t count_ = 0;
  // The kernel's view of the same buffers.
  std::vector<mmsghdr> headers_;
  std::vector<iovec> vectors_;
  std::vector<sockaddr_storage> names_;
  std::vector<ControlBuffer> controls_;
};

// A non-blocking UDP socket, IPv4 or IPv6 (a wildcard IPv6 one serves both).
class UdpSocket {
 public:
  // A server's socket. Errors: EADDRINUSE, EADDRNOTAVAIL, EACCES …
  static std::expected<UdpSocket, std::error_code> bind(const Address& local);
  // A client's socket, connected: the kernel then tells us when nobody listens there.
  static std::expected<UdpSocket, std::error_code> connect(const Address& remote);

  Address local_address() const { return local_; }
  // Of a connected socket; none otherwise.
  Address remote_address() const { return remote_; }
  int fd() const { return fd_.get(); }
  bool uses_gso() const { return gso_; }
  // For tests of the fallback, and for kernels that lie.
  void disable_gso() { gso_ = false; }

  // Receives what is there; an empty batch: nothing. ECONNREFUSED (connected sockets only): the peer's host
  // says that nobody listens.
  std::error_code receive(ReceiveBatch& batch);
  // Sends one burst. `resource_unavailable_try_again`: nothing was sent, wait until writable. Other errors
  // are about this burst or this peer; the socket stays usable.
  std::error_code send(const Transmit& transmit, Bytes bytes);

 private:
  UdpSocket(FileDescriptor fd, const Address& local, const Address& remote);
  bool is_connected() const { return remote_.family() != Address::Family::none; }
  static std::expected<UdpSocket, std::error_code> open(Address::Family family, const Address* local,
                                                        const Address* remote);
  std::error_code send_message(const Transmit& transmit, Bytes bytes, std::size_t segment_size);
  std::error_code send_singly(const Transmit& transmit, Bytes bytes);

  FileDescriptor fd_;
  Address local_;
  Address remote_;
  bool local_is_wildcard_ = false;
  bool gso_ = true;
};

}  // namespace quell::net
