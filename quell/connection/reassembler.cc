#include "quell/connection/reassembler.h"

#include <algorithm>
#include <cstring>

#include "quell/base/check.h"

namespace quell {

Reassembler::Block& Reassembler::block_for(ByteCount offset) {
  const ByteCount first_block = read_offset_ / kBlockSize;
  const auto slot = static_cast<std::size_t>(offset / kBlockSize - first_block);
  while (blocks_.size() <= slot) blocks_.emplace_back();
  // Not value-initialised: every byte is written before it is read.
  if (!blocks_[slot]) blocks_[slot] = spare_ ? std::move(spare_) : std::make_unique_for_overwrite<Block>();
  return *blocks_[slot];
}

void Reassembler::insert(ByteCount offset, Bytes data) {
  const ByteCount end = offset + data.size();
  if (end <= contiguous_end_) return;
  if (offset < contiguous_end_) {
    data = data.subspan(static_cast<std::size_t>(contiguous_end_ - offset));
    offset = contiguous_end_;
  }
  for (ByteCount at = offset; !data.empty();) {
    const auto within = static_cast<std::size_t>(at % kBlockSize);
    const std::size_t size = std::min(data.size(), kBlockSize - within);
    std::memcpy(block_for(at).data() + within, data.data(), size);
    data = data.subspan(size);
    at += size;
  }
  if (offset > contiguous_end_) {
    beyond_.add(offset, end);
    return;
  }
  contiguous_end_ = end;
  if (!beyond_.empty() && beyond_.lowest() <= contiguous_end_) {
    for (const Range& range : beyond_.ranges()) {
      if (range.first > contiguous_end_) break;
      contiguous_end_ = std::max(contiguous_end_, range.end);
    }
    beyond_.remove_below(contiguous_end_);
  }
}

Bytes Reassembler::readable() const {
  if (!has_readable()) return {};
  const auto within = static_cast<std::size_t>(read_offset_ % kBlockSize);
  const auto size = std::min<ByteCount>(contiguous_end_ - read_offset_, kBlockSize - within);
  return Bytes{*blocks_.front()}.subspan(within, static_cast<std::size_t>(size));
}

void Reassembler::consume(ByteCount count) {
  QUELL_CHECK(count <= contiguous_end_ - read_offset_);
  const ByteCount new_offset = read_offset_ + count;
  const ByteCount whole_blocks = new_offset / kBlockSize - read_offset_ / kBlockSize;
  for (ByteCount i = 0; i < whole_blocks; ++i) {
    if (!spare_) spare_ = std::move(blocks_.front());
    blocks_.pop_front();
  }
  read_offset_ = new_offset;
}

void Reassembler::drop() {
  blocks_.clear();
  spare_.reset();
  beyond_.clear();
  read_offset_ = contiguous_end_;
}

}  // namespace quell
