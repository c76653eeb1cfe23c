#include "quell/base/varint.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <vector>

#include "quell/base/reader.h"
#include "quell/base/writer.h"

namespace quell {
namespace {

std::uint64_t read_whole(const std::vector<std::uint8_t>& bytes) {
  Reader reader{bytes};
  const std::uint64_t value = reader.varint();
  EXPECT_TRUE(reader.ok());
  EXPECT_TRUE(reader.empty());
  return value;
}

TEST(Varint, ReadsTheSamplesOfRfc9000AppendixA1) {
  EXPECT_EQ(read_whole({0xc2, 0x19, 0x7c, 0x5e, 0xff, 0x14, 0xe8, 0x8c}), 151288809941952652ULL);
  EXPECT_EQ(read_whole({0x9d, 0x7f, 0x3e, 0x7d}), 494878333U);
  EXPECT_EQ(read_whole({0x7b, 0xbd}), 15293U);
  EXPECT_EQ(read_whole({0x25}), 37U);
  EXPECT_EQ(read_whole({0x40, 0x25}), 37U);
}

TEST(Varint, WritesTheSamplesOfRfc9000AppendixA1) {
  std::array<std::uint8_t, 15> buffer{};
  Writer writer{buffer};
  writer.varint(151288809941952652ULL);
  writer.varint(494878333);
  writer.varint(15293);
  writer.varint(37);
  const std::array<std::uint8_t, 15> expected{0xc2, 0x19, 0x7c, 0x5e, 0xff, 0x14, 0xe8, 0x8c,
                                              0x9d, 0x7f, 0x3e, 0x7d, 0x7b, 0xbd, 0x25};
  EXPECT_EQ(buffer, expected);
}

// RFC 9000 Table 4: the ranges of 1, 2, 4 and 8 bytes.
TEST(Varint, GrowsAtTheEdgesOfTable4) {
  EXPECT_EQ(varint_size(0), 1U);
  EXPECT_EQ(varint_size(63), 1U);
  EXPECT_EQ(varint_size(64), 2U);
  EXPECT_EQ(varint_size(16383), 2U);
  EXPECT_EQ(varint_size(16384), 4U);
  EXPECT_EQ(varint_size(1073741823), 4U);
  EXPECT_EQ(varint_size(1073741824), 8U);
  EXPECT_EQ(varint_size(4611686018427387903ULL), 8U);
  EXPECT_EQ(kVarintMax, 4611686018427387903ULL);
}

RC_GTEST_PROP(VarintProperty, ReadsBackWhatItWrote, ()) {
  const auto bits = *rc::gen::inRange(0, 63);
  const auto value = *rc::gen::arbitrary<std::uint64_t>() & ((std::uint64_t{1} << bits) - 1);
  for (const std::size_t size : {std::size_t{1}, std::size_t{2}, std::size_t{4}, std::size_t{8}}) {
    if (size < varint_size(value)) continue;
    std::array<std::uint8_t, 8> buffer{};
    Writer writer{buffer};
    writer.varint_of_size(value, size);
    RC_ASSERT(writer.position() == size);
    Reader reader{writer.written()};
    RC_ASSERT(reader.varint() == value);
    RC_ASSERT(reader.ok());
    RC_ASSERT(reader.empty());
    for (std::size_t cut = 0; cut < size; ++cut) {
      Reader shortened{writer.written().first(cut)};
      RC_ASSERT(shortened.varint() == 0U);
      RC_ASSERT(!shortened.ok());
    }
  }
}

TEST(VarintDeathTest, RefusesToWriteMoreThan62Bits) {
  std::array<std::uint8_t, 8> buffer{};
  Writer writer{buffer};
  EXPECT_DEATH(writer.varint(kVarintMax + 1), "kVarintMax");
}

TEST(VarintDeathTest, RefusesALengthThatIsTooShort) {
  std::array<std::uint8_t, 8> buffer{};
  Writer writer{buffer};
  EXPECT_DEATH(writer.varint_of_size(64, 1), "varint_size");
}

}  // namespace
}  // namespace quell
