#include "quell/wire/frame_writer.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "quell/wire/frame_reader.h"

namespace quell {
namespace {

using Buffer = std::vector<std::uint8_t>;

TEST(StreamHeader, IsExactlyAsLongAsAnnounced) {
  for (const StreamId stream : {StreamId{0}, StreamId{64}, kVarintMax}) {
    for (const ByteCount offset : {ByteCount{0}, ByteCount{1}, ByteCount{70000}, kVarintMax - 100}) {
      for (const std::size_t size : {0, 63, 64}) {
        for (const bool with_length : {false, true}) {
          for (const bool fin : {false, true}) {
            Buffer buffer(stream_header_size(stream, offset, size, with_length) + size);
            Writer writer{buffer};
            write_stream_header(writer, stream, offset, size, fin, with_length);
            EXPECT_EQ(writer.remaining(), size);
            Reader reader{buffer};
            const auto frame = read_frame(reader, PacketType::one_rtt);
            ASSERT_TRUE(frame);
            const auto& read = std::get<StreamFrame>(*frame);
            EXPECT_EQ(read.stream, stream);
            EXPECT_EQ(read.offset, offset);
            EXPECT_EQ(read.fin, fin);
            EXPECT_EQ(read.data.size(), size);
          }
        }
      }
    }
  }
}

TEST(CryptoHeader, IsExactlyAsLongAsAnnounced) {
  for (const ByteCount offset : {ByteCount{0}, ByteCount{100}, ByteCount{70000}}) {
    for (const std::size_t size : {0, 63, 64, 1200}) {
      Buffer buffer(crypto_header_size(offset, size) + size);
      Writer writer{buffer};
      write_crypto_header(writer, offset, size);
      EXPECT_EQ(writer.remaining(), size);
      Reader reader{buffer};
      const auto frame = read_frame(reader, PacketType::initial);
      ASSERT_TRUE(frame);
      EXPECT_EQ(std::get<CryptoFrame>(*frame).offset, offset);
      EXPECT_EQ(std::get<CryptoFrame>(*frame).data.size(), size);
    }
  }
}

RangeSet every_third(std::uint64_t count) {
  RangeSet set;
  for (std::uint64_t i = 0; i < count; ++i) set.add(3 * i, 3 * i + 1);
  return set;
}

std::vector<Range> ranges_in(Bytes encoded) {
  Reader reader{encoded};
  const auto frame = read_frame(reader, PacketType::one_rtt);
  EXPECT_TRUE(frame);
  if (!frame) return {};
  EXPECT_TRUE(reader.empty());
  std::vector<Range> descending;
  AckRanges ranges{std::get<AckFrame>(*frame)};
  while (const auto interval = ranges.next())
    descending.push_back({interval->smallest, interval->largest + 1});
  return {descending.rbegin(), descending.rend()};
}

// Packets 0–1, 4, 7–9; ranges by §19.3.1: 9 down to 7; gap 5–6 (2 − 1); 4; gap 2–3; 1 down to 0.
TEST(AckWriter, LaysOutRangesAsInRfc9000Section19_3) {
  RangeSet received;
  received.add(0, 2);
  received.add(4, 5);
  received.add(7, 10);
  Buffer buffer(100);
  Writer writer{buffer};
  ASSERT_TRUE(write_ack(writer, received, 300, nullptr, 100, 32));
  const Buffer expected{0x02, 0x09, 0x41, 0x2c, 0x02, 0x02, 0x01, 0x00, 0x01, 0x01};
  EXPECT_TRUE(std::ranges::equal(writer.written(), expected));
}

TEST(AckWriter, PutsEcnCountsBehindTheRanges) {
  RangeSet received;
  received.add(5, 6);
  const EcnCounts counts{.ect0 = 1, .ect1 = 64, .ce = 3};
  Buffer buffer(100);
  Writer writer{buffer};
  ASSERT_TRUE(write_ack(writer, received, 0, &counts, 100, 32));
  const Buffer expected{0x03, 0x05, 0x00, 0x00, 0x00, 0x01, 0x40, 0x40, 0x03};
  EXPECT_TRUE(std::ranges::equal(writer.written(), expected));
}

TEST(AckWriter, KeepsTheHighestRangesUpToTheLimit) {
  const RangeSet received = every_third(100);
  Buffer buffer(1000);
  Writer writer{buffer};
  ASSERT_TRUE(write_ack(writer, received, 0, nullptr, 1000, 10));
  const auto written = ranges_in(writer.written());
  const auto& all = received.ranges();
  EXPECT_EQ(written, std::vector<Range>(all.end() - 10, all.end()));
}

TEST(AckWriter, WritesNothingWhenTheFirstRangeDoesNotFit) {
  RangeSet received;
  received.add(5, 6);
  Buffer buffer(100);
  Writer writer{buffer};
  EXPECT_FALSE(write_ack(writer, received, 0, nullptr, 4, 32));
  EXPECT_EQ(writer.position(), 0U);
  EXPECT_TRUE(write_ack(writer, received, 0, nullptr, 5, 32));
}

TEST(AckWriter, StaysWithinTheBufferWhateverTheLimit) {
  Buffer buffer(9);
  Writer writer{buffer};
  ASSERT_TRUE(write_ack(writer, every_third(20), 0, nullptr, 1000, 1000));
  EXPECT_EQ(ranges_in(writer.written()).size(), 3U);  // 5 bytes, and two for each further range
}

// Every range here costs two bytes; the count itself takes one byte up to 63 further ranges and two above.
TEST(AckWriter, UsesEveryByteOfItsRoom) {
  const RangeSet received = every_third(200);
  for (std::size_t room = 6; room < 300; ++room) {
    Buffer buffer(room);
    Writer writer{buffer};
    ASSERT_TRUE(write_ack(writer, received, 0, nullptr, room, 1000));
    const std::size_t further =
        room < 6 + 2 * 64 + 1 ? std::min<std::size_t>(63, (room - 6) / 2) : (room - 7) / 2;
    EXPECT_EQ(ranges_in(writer.written()).size(), 1 + further) << room;
  }
}

RC_GTEST_PROP(AckWriterProperty, IsReadBackAsTheSameRanges, ()) {
  RangeSet received;
  std::uint64_t at = *rc::gen::inRange<std::uint64_t>(0, 100000);
  const auto count = *rc::gen::inRange(1, 100);
  for (int i = 0; i < count; ++i) {
    const auto size = *rc::gen::inRange<std::uint64_t>(1, 300);
    received.add(at, at + size);
    at += size + *rc::gen::inRange<std::uint64_t>(1, 20000);
  }
  const EcnCounts counts{.ect0 = 1, .ect1 = 2, .ce = 70};
  Buffer buffer(2000);
  Writer writer{buffer};
  RC_ASSERT(write_ack(writer, received, 5, *rc::gen::arbitrary<bool>() ? &counts : nullptr, 2000, 1000));
  RC_ASSERT(ranges_in(writer.written()) == received.ranges());
}

TEST(FrameWriterDeathTest, WantsAcksToGoThroughWriteAck) {
  EXPECT_DEATH(frame_size(AckFrame{}), "ack_goes_through_write_ack");
}

}  // namespace
}  // namespace quell
