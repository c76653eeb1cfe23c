// How do pieces that arrive in any order become one stream again?
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <memory>

#include "quell/base/range_set.h"
#include "quell/base/units.h"

namespace quell {

// Bytes are copied once, to their place in fixed blocks; a block is freed when it has been read. Memory is
// bounded by the caller's flow control: the caller never inserts beyond its limit.
class Reassembler {
 public:
  // Duplicate and overlapping bytes are fine; the first copy of a byte wins nothing: peers that send
  // different bytes for one offset harm themselves (RFC 9000 §2.2).
  void insert(ByteCount offset, Bytes data);

  // The next contiguous bytes, as far as they lie in one block.
  Bytes readable() const;
  // `count` must not exceed the contiguous bytes.
  void consume(ByteCount count);

  ByteCount read_offset() const { return read_offset_; }
  // Everything below it has arrived.
  ByteCount contiguous_end() const { return contiguous_end_; }
  bool has_readable() const { return contiguous_end_ > read_offset_; }
  // A byte here and a byte there cost us far more than their sender: the caller then ends the connection.
  bool has_too_many_holes() const { return beyond_.range_count() > kMaxHoles; }
  void drop();

 private:
  // Choice: 16 KiB: eleven full packets, and little waste on a small stream.
  static constexpr std::size_t kBlockSize = 16384;
  // Choice: every second packet of a full 16 MiB window lost, at 1 KiB per packet, makes as many.
  static constexpr std::size_t kMaxHoles = 8192;
  using Block = std::array<std::uint8_t, kBlockSize>;

  Block& block_for(ByteCount offset);

  std::deque<std::unique_ptr<Block>>
      blocks_;                    // blocks_[0] holds read_offset_; null where nothing has arrived
  std::unique_ptr<Block> spare_;  // saves an allocation per block in a steady flow
  ByteCount read_offset_ = 0;
  ByteCount contiguous_end_ = 0;
  RangeSet beyond_;  // ranges above contiguous_end_
};

}  // namespace quell
