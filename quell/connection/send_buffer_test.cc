#include "quell/connection/send_buffer.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <limits>
#include <vector>

namespace quell {
namespace {

constexpr ByteCount kNoLimit = std::numeric_limits<ByteCount>::max() / 2;

std::vector<std::uint8_t> stream_of(std::size_t size) {
  std::vector<std::uint8_t> bytes(size);
  for (std::size_t i = 0; i < size; ++i) bytes[i] = static_cast<std::uint8_t>(i * 2654435761U >> 24);
  return bytes;
}

TEST(SendBuffer, LostBytesGoOutBeforeNewOnes) {
  SendBuffer buffer;
  buffer.write(Slice::adopt(stream_of(100)), false);
  const auto first = *buffer.peek(40, kNoLimit);
  buffer.on_sent(first);
  buffer.on_lost(10, 5, false);
  const auto again = *buffer.peek(40, kNoLimit);
  EXPECT_EQ(again.offset, 10U);
  EXPECT_EQ(again.size, 5U);
  buffer.on_sent(again);
  EXPECT_EQ(buffer.peek(40, kNoLimit)->offset, 40U);
}

TEST(SendBuffer, WhatWasAcknowledgedIsNeverSentAgain) {
  SendBuffer buffer;
  buffer.write(Slice::adopt(stream_of(100)), true);
  buffer.on_sent(*buffer.peek(100, kNoLimit));
  buffer.on_acked(20, 30, false);
  buffer.on_lost(0, 100, true);
  const auto low = *buffer.peek(100, kNoLimit);
  EXPECT_EQ(low.offset, 0U);
  EXPECT_EQ(low.size, 20U);
  buffer.on_sent(low);
  const auto high = *buffer.peek(100, kNoLimit);
  EXPECT_EQ(high.offset, 50U);
  EXPECT_EQ(high.size, 50U);
  EXPECT_TRUE(high.fin);
}

TEST(SendBuffer, FlowControlHoldsNewBytesButNotLostOnes) {
  SendBuffer buffer;
  buffer.write(Slice::adopt(stream_of(100)), false);
  buffer.on_sent(*buffer.peek(100, 30));
  EXPECT_EQ(buffer.next_unsent(), 30U);
  EXPECT_FALSE(buffer.peek(100, 30));
  buffer.on_lost(0, 30, false);
  EXPECT_EQ(buffer.peek(100, 30)->size, 30U);
}

TEST(SendBuffer, ALoneFinIsAChunkOfItsOwn) {
  SendBuffer buffer;
  buffer.write(Slice::adopt(stream_of(10)), false);
  buffer.on_sent(*buffer.peek(100, kNoLimit));
  buffer.write({}, true);
  const auto fin = *buffer.peek(100, kNoLimit);
  EXPECT_EQ(fin.size, 0U);
  EXPECT_TRUE(fin.fin);
  buffer.on_sent(fin);
  EXPECT_FALSE(buffer.peek(100, kNoLimit));
  buffer.on_acked(0, 10, false);
  EXPECT_FALSE(buffer.is_finished());
  buffer.on_acked(10, 0, true);
  EXPECT_TRUE(buffer.is_finished());
}

// Any mix of writes, sends of any size, losses and acknowledgements, spurious ones included, delivers every
// byte unchanged.
RC_GTEST_PROP(SendBuffer, DeliversEverythingWhateverIsLost, ()) {
  SendBuffer buffer;
  const auto total = *rc::gen::inRange<std::size_t>(1, 5000);
  const auto bytes = stream_of(total);
  std::size_t written = 0;
  std::vector<bool> delivered(total, false);
  std::vector<SendBuffer::Chunk> flying;
  const auto arrive = [&](const SendBuffer::Chunk& chunk) {
    std::fill_n(delivered.begin() + static_cast<std::ptrdiff_t>(chunk.offset), chunk.size, true);
    buffer.on_acked(chunk.offset, chunk.size, chunk.fin);
  };
  const auto send = [&](std::size_t most) {
    const auto chunk = buffer.peek(most, kNoLimit);
    if (!chunk) return false;
    std::vector<std::uint8_t> copy(chunk->size);
    buffer.copy(chunk->offset, copy);
    RC_ASSERT(
        std::equal(copy.begin(), copy.end(), bytes.begin() + static_cast<std::ptrdiff_t>(chunk->offset)));
    buffer.on_sent(*chunk);
    flying.push_back(*chunk);
    return true;
  };
  const auto steps = *rc::gen::inRange(1, 200);
  for (int step = 0; step < steps; ++step) {
    switch (*rc::gen::inRange(0, 5)) {
      case 0:
        if (written < total) {
          const auto size = *rc::gen::inRange<std::size_t>(1, total - written + 1);
          buffer.write(Slice::copy_of(Bytes{bytes}.subspan(written, size)), written + size == total);
          written += size;
        }
        break;
      case 1:
      case 2:
        send(*rc::gen::inRange<std::size_t>(1, 1500));
        break;
      default:
        if (!flying.empty()) {
          const auto which = *rc::gen::inRange<std::size_t>(0, flying.size());
          const SendBuffer::Chunk chunk = flying[which];
          // A spurious loss: declared lost, and then it arrives all the same.
          const auto fate = *rc::gen::inRange(0, 3);
          if (fate > 0) buffer.on_lost(chunk.offset, chunk.size, chunk.fin);
          if (fate < 2) arrive(chunk);
          flying.erase(flying.begin() + static_cast<std::ptrdiff_t>(which));
        }
    }
  }
  if (written < total) buffer.write(Slice::copy_of(Bytes{bytes}.subspan(written)), true);
  for (const auto& chunk : flying) buffer.on_lost(chunk.offset, chunk.size, chunk.fin);
  flying.clear();
  while (send(1000)) arrive(flying.back());
  RC_ASSERT(std::ranges::all_of(delivered, [](bool d) { return d; }));
  RC_ASSERT(buffer.is_finished());
  RC_ASSERT(buffer.lost_bytes() == 0U);
}

}  // namespace
}  // namespace quell
