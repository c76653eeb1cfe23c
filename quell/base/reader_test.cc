#include "quell/base/reader.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "quell/base/writer.h"

namespace quell {
namespace {

constexpr std::array<std::uint8_t, 15> kCounting{0x01, 0x02, 0x03, 0x04, 0x05, 0x06, 0x07, 0x08,
                                                 0x09, 0x0a, 0x0b, 0x0c, 0x0d, 0x0e, 0x0f};

TEST(Reader, ReadsBigEndianFields) {
  Reader reader{kCounting};
  EXPECT_EQ(reader.u8(), 0x01);
  EXPECT_EQ(reader.u16(), 0x0203);
  EXPECT_EQ(reader.u32(), 0x04050607U);
  EXPECT_EQ(reader.u64(), 0x08090a0b0c0d0e0fULL);
  EXPECT_TRUE(reader.ok());
  EXPECT_TRUE(reader.empty());
}

TEST(Reader, GivesViewsIntoTheDataItself) {
  Reader reader{kCounting};
  reader.skip(2);
  const Bytes view = reader.bytes(3);
  EXPECT_EQ(view.data(), kCounting.data() + 2);
  EXPECT_EQ(view.size(), 3U);
  EXPECT_EQ(reader.position(), 5U);
  EXPECT_EQ(reader.remaining(), 10U);
  EXPECT_EQ(reader.rest().data(), kCounting.data() + 5);
}

TEST(Reader, ReadsNothingMoreAfterOneReadPastTheEnd) {
  Reader reader{Bytes{kCounting}.first(3)};
  EXPECT_EQ(reader.u32(), 0U);
  EXPECT_FALSE(reader.ok());
  EXPECT_EQ(reader.u8(), 0);
  EXPECT_EQ(reader.varint(), 0U);
  EXPECT_TRUE(reader.bytes(1).empty());
  EXPECT_TRUE(reader.rest().empty());
}

TEST(Reader, IsNotFooledByALengthNearTwoToThe64) {
  Reader reader{kCounting};
  reader.skip(8);
  EXPECT_TRUE(reader.bytes(~std::uint64_t{0}).empty());
  EXPECT_FALSE(reader.ok());
}

TEST(Reader, StaysGoodWhenItEndsExactlyAtTheEnd) {
  Reader reader{kCounting};
  EXPECT_EQ(reader.bytes(kCounting.size()).size(), kCounting.size());
  EXPECT_TRUE(reader.bytes(0).empty());
  EXPECT_TRUE(reader.ok());
}

TEST(Writer, WritesWhatTheReaderReads) {
  std::array<std::uint8_t, 15> buffer{};
  Writer writer{buffer};
  writer.u8(0x01);
  writer.u16(0x0203);
  writer.u32(0x04050607);
  writer.u64(0x08090a0b0c0d0e0fULL);
  EXPECT_EQ(buffer, kCounting);
  EXPECT_EQ(writer.remaining(), 0U);
}

TEST(Writer, WritesTheLowBytesOfANumber) {
  std::array<std::uint8_t, 3> buffer{};
  Writer writer{buffer};
  writer.big_endian(0xaabbccddee, 3);
  const std::array<std::uint8_t, 3> expected{0xcc, 0xdd, 0xee};
  EXPECT_EQ(buffer, expected);
}

TEST(Writer, CopiesFillsAndLeavesRoom) {
  std::array<std::uint8_t, 8> buffer{9, 9, 9, 9, 9, 9, 9, 9};
  Writer writer{buffer};
  writer.bytes(Bytes{kCounting}.first(2));
  writer.advance(2);
  writer.fill(7, 3);
  const std::array<std::uint8_t, 8> expected{1, 2, 9, 9, 7, 7, 7, 9};
  EXPECT_EQ(buffer, expected);
  EXPECT_EQ(writer.position(), 7U);
  EXPECT_EQ(writer.written().size(), 7U);
  EXPECT_EQ(writer.rest().data(), buffer.data() + 7);
}

TEST(WriterDeathTest, StopsTheProcessBeforeItWritesPastTheEnd) {
  std::array<std::uint8_t, 3> buffer{};
  Writer writer{buffer};
  EXPECT_DEATH(writer.u32(1), "remaining");
  EXPECT_DEATH(writer.bytes(kCounting), "remaining");
  EXPECT_DEATH(writer.fill(0, 4), "remaining");
  EXPECT_DEATH(writer.advance(4), "remaining");
}

}  // namespace
}  // namespace quell
