#include "quell/wire/version_packets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "quell/wire/packet_header.h"

namespace quell {
namespace {

using Buffer = std::vector<std::uint8_t>;

TEST(VersionNegotiation, IsLaidOutAsRfc9000Section17_2_1Says) {
  Buffer buffer(100);
  Writer writer{buffer};
  const std::array<std::uint32_t, 2> versions{kVersion1, 0x1a2a3a4a};
  write_version_negotiation(writer, Buffer{1, 2}, Buffer{3}, versions, 0x15);
  const Buffer expected{0xd5, 0, 0, 0, 0, 2, 1, 2, 1, 3, 0, 0, 0, 1, 0x1a, 0x2a, 0x3a, 0x4a};
  EXPECT_TRUE(std::ranges::equal(writer.written(), expected));
}

TEST(VersionNegotiation, IsReadWhateverItsUnusedBitsAre) {
  for (const int bits : {0x80, 0xbf, 0xc0, 0xff}) {
    const Buffer packet{static_cast<std::uint8_t>(bits), 0, 0, 0, 0, 2, 1, 2, 1, 3, 0, 0, 0, 1};
    const auto parsed = parse_packet(packet, 8);
    ASSERT_TRUE(parsed) << bits;
    EXPECT_EQ(parsed->type, PacketType::version_negotiation);
    EXPECT_EQ(parsed->version, 0U);
    EXPECT_FALSE(parsed->is_unknown_version);
    EXPECT_EQ(parsed->destination, (ConnectionId{Buffer{1, 2}}));
    EXPECT_EQ(parsed->source, ConnectionId{Buffer{3}});
    EXPECT_TRUE(std::ranges::equal(parsed->supported_versions, Buffer{0, 0, 0, 1}));
    EXPECT_EQ(parsed->size, packet.size());
  }
}

TEST(VersionNegotiation, IsDroppedWhenAVersionIsCut) {
  const Buffer packet{0x80, 0, 0, 0, 0, 2, 1, 2, 1, 3, 0, 0, 0, 1};
  for (std::size_t cut = 1; cut < 4; ++cut) {
    EXPECT_FALSE(parse_packet(Bytes{packet}.first(packet.size() - cut), 8)) << cut;
  }
}

TEST(VersionNegotiation, EchoesIdsOf255Bytes) {
  Buffer buffer(600);
  Writer writer{buffer};
  const Buffer longest(255, 0x77);
  const std::array<std::uint32_t, 1> versions{kVersion1};
  write_version_negotiation(writer, longest, longest, versions, 0);
  const auto invariant = parse_invariant(writer.written());
  ASSERT_TRUE(invariant);
  EXPECT_TRUE(std::ranges::equal(invariant->destination, longest));
  EXPECT_TRUE(std::ranges::equal(invariant->source, longest));
}

Buffer retry_with(Bytes token) {
  Buffer buffer(200);
  Writer writer{buffer};
  write_retry_without_tag(writer, kVersion1, ConnectionId{}, ConnectionId{Buffer{4, 5}}, token, 0x0a);
  writer.fill(0xee, 16);
  buffer.resize(writer.position());
  return buffer;
}

TEST(Retry, IsReadWithItsTokenButNotItsTag) {
  const Buffer token{0x74, 0x6f, 0x6b, 0x65, 0x6e};
  const Buffer packet = retry_with(token);
  EXPECT_EQ(packet[0], 0xfa);
  const auto parsed = parse_packet(packet, 8);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->type, PacketType::retry);
  EXPECT_EQ(parsed->source, (ConnectionId{Buffer{4, 5}}));
  EXPECT_TRUE(std::ranges::equal(parsed->token, token));
  EXPECT_EQ(parsed->size, packet.size());
}

// RFC 9001 §A.4, without its tag.
TEST(Retry, IsLaidOutAsInRfc9001AppendixA4) {
  Buffer buffer(100);
  Writer writer{buffer};
  const ConnectionId source{Buffer{0xf0, 0x67, 0xa5, 0x50, 0x2a, 0x42, 0x62, 0xb5}};
  write_retry_without_tag(writer, kVersion1, ConnectionId{}, source, Buffer{0x74, 0x6f, 0x6b, 0x65, 0x6e},
                          0x0f);
  const Buffer expected{0xff, 0x00, 0x00, 0x00, 0x01, 0x00, 0x08, 0xf0, 0x67, 0xa5,
                        0x50, 0x2a, 0x42, 0x62, 0xb5, 0x74, 0x6f, 0x6b, 0x65, 0x6e};
  EXPECT_TRUE(std::ranges::equal(writer.written(), expected));
}

// RFC 9000 §17.2.5.2.
TEST(Retry, IsDroppedWithoutAToken) {
  Buffer packet = retry_with(Buffer{1});
  EXPECT_TRUE(parse_packet(packet, 8));
  packet.pop_back();
  EXPECT_FALSE(parse_packet(packet, 8));
}

TEST(StatelessReset, LooksLikeAShortHeaderAndEndsInItsToken) {
  StatelessResetToken token{};
  token.fill(0x5a);
  for (const std::size_t size : {std::size_t{21}, std::size_t{43}}) {
    for (const std::uint8_t first : {std::uint8_t{0x00}, std::uint8_t{0xff}}) {
      Buffer random(size - token.size(), 0x33);
      random[0] = first;
      Buffer buffer(size);
      Writer writer{buffer};
      write_stateless_reset(writer, size, random, token);
      EXPECT_EQ(writer.position(), size);
      EXPECT_EQ(buffer[0] & 0xc0, 0x40);
      EXPECT_EQ(buffer[0] & 0x3f, first & 0x3f);
      EXPECT_TRUE(std::ranges::equal(Bytes{buffer}.last(token.size()), token));
    }
  }
}

// RFC 9000 §10.3: at least 21 bytes, or it could not be a short header packet.
TEST(StatelessResetDeathTest, RefusesToBeShorterThan21Bytes) {
  Buffer buffer(20);
  Writer writer{buffer};
  EXPECT_DEATH(write_stateless_reset(writer, 20, Buffer(4), StatelessResetToken{}), "21");
}

}  // namespace
}  // namespace quell
