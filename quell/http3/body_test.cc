#include "quell/http3/body.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace quell::http3 {
namespace {

TEST(MemoryBody, GivesAllItsBytesInPiecesWithoutCopying) {
  MemoryBody body{std::string_view{"hello world"}};
  EXPECT_EQ(body.size(), 11U);
  const auto first = body.next(5);
  const auto second = body.next(100);
  EXPECT_EQ(first.state, BodySource::State::more);
  EXPECT_EQ(second.state, BodySource::State::end);
  EXPECT_EQ(first.slice.bytes.data() + 5, second.slice.bytes.data());
  EXPECT_EQ(first.slice.owner, second.slice.owner);
}

TEST(MemoryBody, EndsAtOnceWhenEmpty) {
  MemoryBody body{std::string_view{}};
  const auto piece = body.next(1);
  EXPECT_TRUE(piece.slice.bytes.empty());
  EXPECT_EQ(piece.state, BodySource::State::end);
}

// Whatever the steps: the same bytes, as many as promised, never more than asked for.
RC_GTEST_PROP(GeneratedBody, DependsOnOffsetsOnly, ()) {
  const auto size = *rc::gen::inRange<ByteCount>(0, 600'000);
  const auto offset = *rc::gen::inRange<ByteCount>(0, 600'000);
  GeneratedBody body{size, offset};
  ByteCount done = 0;
  for (auto state = BodySource::State::more; state != BodySource::State::end;) {
    const auto max = *rc::gen::inRange<std::size_t>(1, 300'000);
    const auto piece = body.next(max);
    RC_ASSERT(piece.slice.bytes.size() <= max);
    for (const std::uint8_t byte : piece.slice.bytes) RC_ASSERT(byte == generated_byte(offset + done++));
    state = piece.state;
  }
  RC_ASSERT(done == size);
}

}  // namespace
}  // namespace quell::http3
