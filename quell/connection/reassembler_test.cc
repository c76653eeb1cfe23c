#include "quell/connection/reassembler.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <vector>

namespace quell {
namespace {

std::vector<std::uint8_t> stream_of(std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(i * 2654435761U >> 24);
  return bytes;
}

std::vector<std::uint8_t> read_all(Reassembler& r) {
  std::vector<std::uint8_t> out;
  while (r.has_readable()) {
    const Bytes bytes = r.readable();
    out.insert(out.end(), bytes.begin(), bytes.end());
    r.consume(bytes.size());
  }
  return out;
}

TEST(Reassembler, GivesNothingBeforeTheFirstByte) {
  Reassembler r;
  const auto bytes = stream_of(10);
  r.insert(1, Bytes{bytes}.subspan(1));
  EXPECT_FALSE(r.has_readable());
  r.insert(0, Bytes{bytes}.first(1));
  EXPECT_EQ(r.contiguous_end(), 10U);
}

TEST(Reassembler, CrossesBlocksWithoutLosingAByte) {
  Reassembler r;
  const auto bytes = stream_of(100000);
  r.insert(0, bytes);
  EXPECT_EQ(read_all(r), bytes);
}

// Whatever the pieces, their order, overlaps and the reads between them, the stream comes out as it went in.
RC_GTEST_PROP(Reassembler, RebuildsAnyStreamFromAnyPieces, ()) {
  const auto size = *rc::gen::inRange<std::size_t>(1, 70000);
  const auto bytes = stream_of(size);
  Reassembler r;
  std::vector<std::uint8_t> out;
  const auto pieces = *rc::gen::container<std::vector<std::pair<std::size_t, std::size_t>>>(
      rc::gen::pair(rc::gen::inRange<std::size_t>(0, size), rc::gen::inRange<std::size_t>(0, 20000)));
  std::vector<bool> seen(size, false);
  for (const auto& [offset, length] : pieces) {
    const std::size_t take = std::min(length, size - offset);
    r.insert(offset, Bytes{bytes}.subspan(offset, take));
    std::fill_n(seen.begin() + static_cast<std::ptrdiff_t>(offset), take, true);
    const auto hole = static_cast<std::size_t>(std::find(seen.begin(), seen.end(), false) - seen.begin());
    RC_ASSERT(r.contiguous_end() == hole);
    if (*rc::gen::arbitrary<bool>()) {
      const auto got = read_all(r);
      out.insert(out.end(), got.begin(), got.end());
    }
  }
  r.insert(0, bytes);
  const auto rest = read_all(r);
  out.insert(out.end(), rest.begin(), rest.end());
  RC_ASSERT(out == bytes);
}

}  // namespace
}  // namespace quell
