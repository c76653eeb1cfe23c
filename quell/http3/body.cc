#include "quell/http3/body.h"

#include <algorithm>
#include <array>
#include <utility>

#include "quell/base/rng.h"

namespace quell::http3 {
namespace {

// Choice: 256 KiB stay in a second-level cache and hold more than four bursts.
constexpr std::size_t kBlockSize = std::size_t{256} * 1024;
using Block = std::array<std::uint8_t, kBlockSize>;

const Block& generated_block() {
  static const auto block = [] {
    auto bytes = std::make_unique<Block>();
    Rng{0x7175656c6c}.fill(*bytes);
    return bytes;
  }();
  return *block;
}

}  // namespace

MemoryBody::MemoryBody(std::vector<std::uint8_t> data, Fields trailers)
    : data_(Slice::adopt(std::move(data))), trailers_(std::move(trailers)) {}

MemoryBody::MemoryBody(std::string_view text)
    : MemoryBody(std::vector<std::uint8_t>{text.begin(), text.end()}) {}

BodySource::Piece MemoryBody::next(std::size_t max) {
  const std::size_t count = std::min(max, data_.bytes.size() - sent_);
  Piece piece{Slice{data_.owner, data_.bytes.subspan(sent_, count)}, State::more};
  sent_ += count;
  if (sent_ == data_.bytes.size()) piece.state = State::end;
  return piece;
}

BodySource::Piece GeneratedBody::next(std::size_t max) {
  const std::size_t start = static_cast<std::size_t>(offset_ % kBlockSize);
  const ByteCount count = std::min<ByteCount>({max, left_, kBlockSize - start});
  offset_ += count;
  left_ -= count;
  return {Slice{nullptr, Bytes{generated_block()}.subspan(start, static_cast<std::size_t>(count))},
          left_ == 0 ? State::end : State::more};
}

std::uint8_t generated_byte(ByteCount offset) {
  return generated_block()[offset % kBlockSize];
}

}  // namespace quell::http3
