// Which bytes of a stream still have to be sent, and which may be forgotten?
#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <optional>

#include "quell/base/range_set.h"
#include "quell/base/units.h"
#include "quell/connection/slice.h"

namespace quell {

// Invariant: acked prefix ≤ next unsent ≤ written end. Lost ranges lie between the first two and hold nothing
// acknowledged.
class SendBuffer {
 public:
  struct Chunk {
    ByteCount offset = 0;
    std::size_t size = 0;
    bool fin = false;
  };

  // Nothing may be written after `fin`.
  void write(Slice slice, bool fin);

  // --- sending
  // The next chunk to put into a packet: lost bytes first, then new ones below `limit` (flow control). A lone
  // FIN is a chunk of size zero. `max_size` bounds the data. Nothing when there is nothing to send.
  std::optional<Chunk> peek(std::size_t max_size, ByteCount limit) const;
  // The chunk, or a prefix of it without its fin, goes out.
  void on_sent(const Chunk& chunk);
  // Copies bytes that are not acknowledged yet.
  void copy(ByteCount offset, MutableBytes out) const;

  // --- hearing
  void on_acked(ByteCount offset, ByteCount size, bool fin);
  void on_lost(ByteCount offset, ByteCount size, bool fin);

  // --- answers
  ByteCount written_end() const { return written_end_; }
  ByteCount next_unsent() const { return next_unsent_; }
  ByteCount unsent() const { return written_end_ - next_unsent_; }
  ByteCount lost_bytes() const { return lost_total_; }
  bool has_lost() const { return lost_total_ > 0 || fin_lost_; }
  bool fin_written() const { return fin_written_; }
  bool fin_is_unsent() const { return fin_written_ && !fin_sent_; }
  // Everything up to and including the FIN was acknowledged.
  bool is_finished() const { return fin_acked_ && acked_end_ == written_end_; }
  // Forgets all content after a reset.
  void drop();

 private:
  struct Piece {
    ByteCount offset = 0;
    Slice slice;
    ByteCount end() const { return offset + slice.bytes.size(); }
  };
  void advance_acked_prefix(ByteCount end);

  std::deque<Piece> pieces_;  // contiguous, from acked_end_ (or before it) to written_end_
  ByteCount acked_end_ = 0;
  ByteCount next_unsent_ = 0;
  ByteCount written_end_ = 0;
  RangeSet acked_beyond_;  // acknowledged ranges above acked_end_
  RangeSet lost_;
  ByteCount lost_total_ = 0;
  bool fin_written_ = false;
  bool fin_sent_ = false;
  bool fin_lost_ = false;
  bool fin_acked_ = false;
};

}  // namespace quell
