#include "quell/cli/file_body.h"

#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <utility>

namespace quell::cli {

std::shared_ptr<BufferPool::Buffer> BufferPool::take() {
  std::unique_ptr<Buffer> buffer;
  if (idle_.empty()) {
    buffer = std::make_unique<Buffer>(kBufferBytes);
  } else {
    buffer = std::move(idle_.back());
    idle_.pop_back();
  }
  return {buffer.release(),
          [pool = shared_from_this()](Buffer* done) { pool->give_back(std::unique_ptr<Buffer>{done}); }};
}

void BufferPool::give_back(std::unique_ptr<Buffer> buffer) {
  if (idle_.size() < kMaxIdle) idle_.push_back(std::move(buffer));
}

FileBody::FileBody(std::shared_ptr<const net::FileDescriptor> fd, ByteCount offset, ByteCount size,
                   std::shared_ptr<BufferPool> pool)
    : fd_(std::move(fd)), pool_(std::move(pool)), offset_(offset), unread_(size), size_(size) {}

http3::BodySource::Piece FileBody::next(std::size_t max) {
  if (ready_.empty() && unread_ != 0 && !refill()) return {{}, State::failed};
  const std::size_t count = std::min(max, ready_.size());
  Piece piece{Slice{buffer_, ready_.first(count)}, State::more};
  ready_ = ready_.subspan(count);
  if (ready_.empty()) buffer_.reset();
  if (ready_.empty() && unread_ == 0) piece.state = State::end;
  return piece;
}

bool FileBody::refill() {
  auto buffer = pool_->take();
  const std::size_t wanted = static_cast<std::size_t>(std::min<ByteCount>(unread_, buffer->size()));
  std::size_t got = 0;
  while (got != wanted) {
    const ssize_t n =
        ::pread(fd_->get(), buffer->data() + got, wanted - got, static_cast<off_t>(offset_ + got));
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return false;
    got += static_cast<std::size_t>(n);
  }
  offset_ += got;
  unread_ -= got;
  ready_ = Bytes{*buffer}.first(got);
  buffer_ = std::move(buffer);
  return true;
}

}  // namespace quell::cli
