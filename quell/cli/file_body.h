// How does a file's content reach the wire with one copy less? Read in large pieces into buffers that are
// used again.
#pragma once

#include <memory>
#include <vector>

#include "quell/base/units.h"
#include "quell/http3/body.h"
#include "quell/net/file_descriptor.h"

namespace quell::cli {

// Buffers of one size that come back when their last slice is acknowledged. The first touch of a page is
// dear: a fresh buffer per piece would cost more than reading the file. Must be held by shared_ptr; buffers
// may outlive every other owner.
class BufferPool : public std::enable_shared_from_this<BufferPool> {
 public:
  // Choice: 256 KiB hold four bursts and stay in a second-level cache between the read and the seal.
  static constexpr std::size_t kBufferBytes = std::size_t{256} * 1024;
  // Choice: idle buffers beyond 16 MiB are given back.
  static constexpr std::size_t kMaxIdle = 64;

  using Buffer = std::vector<std::uint8_t>;
  std::shared_ptr<Buffer> take();

 private:
  void give_back(std::unique_ptr<Buffer> buffer);
  std::vector<std::unique_ptr<Buffer>> idle_;
};

// `size` bytes of a file from `offset` on. A file that shrinks while it is sent fails the response.
class FileBody final : public http3::BodySource {
 public:
  FileBody(std::shared_ptr<const net::FileDescriptor> fd, ByteCount offset, ByteCount size,
           std::shared_ptr<BufferPool> pool);
  Piece next(std::size_t max) override;
  std::optional<ByteCount> size() const override { return size_; }

 private:
  bool refill();

  std::shared_ptr<const net::FileDescriptor> fd_;
  std::shared_ptr<BufferPool> pool_;
  ByteCount offset_;  // of the next read
  ByteCount unread_;
  ByteCount size_;
  std::shared_ptr<const void> buffer_;
  Bytes ready_;
};

}  // namespace quell::cli
