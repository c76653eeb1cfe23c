#include "quell/connection/send_buffer.h"

#include <algorithm>
#include <cstring>

#include "quell/base/check.h"

namespace quell {

void SendBuffer::write(Slice slice, bool fin) {
  QUELL_CHECK(!fin_written_);
  if (!slice.bytes.empty()) {
    const ByteCount size = slice.bytes.size();
    pieces_.push_back({written_end_, std::move(slice)});
    written_end_ += size;
  }
  fin_written_ = fin;
}

std::optional<SendBuffer::Chunk> SendBuffer::peek(std::size_t max_size, ByteCount limit) const {
  Chunk chunk;
  if (lost_total_ > 0) {
    const Range& range = lost_.ranges().front();
    chunk.offset = range.first;
    chunk.size = static_cast<std::size_t>(std::min<ByteCount>(range.size(), max_size));
    chunk.fin = fin_written_ && fin_sent_ && !fin_acked_ && chunk.offset + chunk.size == written_end_;
    return chunk;
  }
  if (fin_lost_) return Chunk{written_end_, 0, true};
  const ByteCount sendable = std::min(written_end_, limit);
  chunk.offset = next_unsent_;
  chunk.size = sendable > next_unsent_
                   ? static_cast<std::size_t>(std::min<ByteCount>(sendable - next_unsent_, max_size))
                   : 0;
  chunk.fin = fin_written_ && !fin_sent_ && chunk.offset + chunk.size == written_end_;
  if (chunk.size == 0 && !chunk.fin) return std::nullopt;
  return chunk;
}

void SendBuffer::on_sent(const Chunk& chunk) {
  const ByteCount end = chunk.offset + chunk.size;
  QUELL_CHECK(end <= written_end_);
  if (chunk.offset == next_unsent_) {
    next_unsent_ = end;
  } else {
    lost_total_ -= lost_.remove(chunk.offset, end);
  }
  if (chunk.fin) {
    fin_sent_ = true;
    fin_lost_ = false;
  }
}

void SendBuffer::copy(ByteCount offset, MutableBytes out) const {
  if (out.empty()) return;
  auto piece = std::upper_bound(pieces_.begin(), pieces_.end(), offset,
                                [](ByteCount o, const Piece& p) { return o < p.end(); });
  while (!out.empty()) {
    QUELL_CHECK(piece != pieces_.end());
    const auto skip = static_cast<std::size_t>(offset - piece->offset);
    const std::size_t size = std::min(out.size(), piece->slice.bytes.size() - skip);
    std::memcpy(out.data(), piece->slice.bytes.data() + skip, size);
    out = out.subspan(size);
    offset += size;
    ++piece;
  }
}

void SendBuffer::advance_acked_prefix(ByteCount end) {
  acked_end_ = std::max(acked_end_, end);
  if (!acked_beyond_.empty() && acked_beyond_.lowest() <= acked_end_) {
    acked_end_ = std::max(acked_end_, acked_beyond_.ranges().front().end);
    acked_beyond_.remove_below(acked_end_);
  }
  while (!pieces_.empty() && pieces_.front().end() <= acked_end_) pieces_.pop_front();
}

void SendBuffer::on_acked(ByteCount offset, ByteCount size, bool fin) {
  if (fin) {
    fin_acked_ = true;
    fin_lost_ = false;
  }
  const ByteCount end = offset + size;
  if (lost_total_ > 0) lost_total_ -= lost_.remove(offset, end);
  if (end <= acked_end_) return;
  if (offset <= acked_end_) {
    advance_acked_prefix(end);
  } else {
    acked_beyond_.add(offset, end);
  }
}

void SendBuffer::on_lost(ByteCount offset, ByteCount size, bool fin) {
  if (fin && !fin_acked_) fin_lost_ = true;
  const ByteCount end = std::min(offset + size, next_unsent_);  // the rest was dropped by a reset
  ByteCount from = std::max(offset, acked_end_);
  // Only the gaps between acknowledged ranges go out again.
  const auto& ranges = acked_beyond_.ranges();
  for (auto it = std::ranges::upper_bound(ranges, from, {}, &Range::end); it != ranges.end(); ++it) {
    const Range& acked = *it;
    if (acked.first >= end) break;
    if (acked.first > from) lost_total_ += lost_.add(from, acked.first);
    from = acked.end;
  }
  if (from < end) lost_total_ += lost_.add(from, end);
}

void SendBuffer::drop() {
  pieces_.clear();
  lost_.clear();
  acked_beyond_.clear();
  lost_total_ = 0;
  // An unsent FIN would end the stream where the reset cut it.
  fin_written_ = false;
  fin_lost_ = false;
  written_end_ = next_unsent_;
  acked_end_ = next_unsent_;
}

}  // namespace quell
