#include "quell/wire/packet_number.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include "quell/base/varint.h"

namespace quell {
namespace {

TEST(PacketNumber, TakesTheSizesOfRfc9000AppendixA2) {
  EXPECT_EQ(packet_number_size(0xac5c02, 0xabe8b3), 2U);
  EXPECT_EQ(packet_number_size(0xace8fe, 0xabe8b3), 3U);
}

TEST(PacketNumber, DecodesTheSampleOfRfc9000AppendixA3) {
  EXPECT_EQ(decode_packet_number(0x9b32, 2, 0xa82f30ea), 0xa82f9b32U);
}

// RFC 9000 §17.1: more than twice the range between the largest acknowledged and this packet.
TEST(PacketNumber, GrowsWhenTwiceTheUnackedRangeFillsTheField) {
  constexpr PacketNumber kAcked = 1000;
  EXPECT_EQ(packet_number_size(kAcked + 1, kAcked), 1U);
  EXPECT_EQ(packet_number_size(kAcked + 127, kAcked), 1U);
  EXPECT_EQ(packet_number_size(kAcked + 128, kAcked), 2U);
  EXPECT_EQ(packet_number_size(kAcked + 32767, kAcked), 2U);
  EXPECT_EQ(packet_number_size(kAcked + 32768, kAcked), 3U);
  EXPECT_EQ(packet_number_size(kAcked + 8388607, kAcked), 3U);
  EXPECT_EQ(packet_number_size(kAcked + 8388608, kAcked), 4U);
}

TEST(PacketNumber, CountsFromZeroBeforeAnythingIsAcknowledged) {
  EXPECT_EQ(packet_number_size(0, {}), 1U);
  EXPECT_EQ(packet_number_size(126, {}), 1U);
  EXPECT_EQ(packet_number_size(127, {}), 2U);
}

TEST(PacketNumber, DecodesTheFirstPacketOfASpace) {
  EXPECT_EQ(decode_packet_number(0, 1, {}), 0U);
  EXPECT_EQ(decode_packet_number(200, 1, {}), 200U);
}

TEST(PacketNumber, StaysBelowTwoToThe62) {
  EXPECT_EQ(decode_packet_number(0xff, 1, kVarintMax), kVarintMax);
  EXPECT_LE(decode_packet_number(0x01, 1, kVarintMax - 1), kVarintMax);
}

// The window of Appendix A.3: greater than expected − half, at most expected + half.
RC_GTEST_PROP(PacketNumberProperty, DecodesToTheOnlyCandidateInTheWindow, ()) {
  const auto size = *rc::gen::inRange<std::size_t>(1, 5);
  const std::uint64_t half = std::uint64_t{1} << (8 * size - 1);
  const auto largest = *rc::gen::inRange<std::uint64_t>(half, std::uint64_t{1} << 61);
  const auto offset = *rc::gen::inRange<std::uint64_t>(1, 2 * half + 1);
  const PacketNumber number = largest + 1 - half + offset;
  RC_ASSERT(decode_packet_number(number & (2 * half - 1), size, largest) == number);
}

// Whatever the receiver has seen between the largest acknowledged and the packet itself, it decodes the
// number.
RC_GTEST_PROP(PacketNumberProperty, SurvivesTheChosenSize, ()) {
  const auto acked = *rc::gen::inRange<std::uint64_t>(0, std::uint64_t{1} << 61);
  const auto bits = *rc::gen::inRange(1, 31);
  const auto ahead = *rc::gen::inRange<std::uint64_t>(1, std::uint64_t{1} << bits);
  const PacketNumber number = acked + ahead;
  const auto largest = acked + *rc::gen::inRange<std::uint64_t>(0, ahead);
  const std::size_t size = packet_number_size(number, acked);
  const std::uint64_t truncated = number & ((std::uint64_t{1} << (8 * size)) - 1);
  RC_ASSERT(decode_packet_number(truncated, size, largest) == number);
}

TEST(PacketNumberDeathTest, RefusesToSendWhatIsAcknowledgedAlready) {
  EXPECT_DEATH(packet_number_size(5, 5), "largest_acked");
}

}  // namespace
}  // namespace quell
