#include "quell/wire/packet_header.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

namespace quell {
namespace {

using Buffer = std::vector<std::uint8_t>;

const Buffer kToken{0xaa, 0xbb, 0xcc};

HeaderFields fields_for(PacketType type) {
  HeaderFields fields;
  fields.type = type;
  fields.destination = ConnectionId{Buffer{1, 2, 3, 4, 5, 6, 7, 8}};
  if (type != PacketType::one_rtt) fields.source = ConnectionId{Buffer{9, 10, 11}};
  if (type == PacketType::initial) fields.token = kToken;
  fields.packet_number = 0x12345678;
  fields.packet_number_size = 4;
  return fields;
}

// A packet of `payload_size` bytes behind its header, as it would stand in a datagram before protection.
Buffer make_packet(const HeaderFields& fields, std::size_t payload_size) {
  Buffer packet(header_size(fields) + payload_size);
  Writer writer{packet};
  const WrittenHeader header = write_header(writer, fields);
  EXPECT_EQ(writer.position(), header_size(fields));
  EXPECT_EQ(header.payload_offset, header_size(fields));
  EXPECT_EQ(header.packet_number_offset + fields.packet_number_size, header.payload_offset);
  if (fields.type != PacketType::one_rtt) patch_length(packet, header);
  return packet;
}

class LongHeader : public testing::TestWithParam<PacketType> {};

TEST_P(LongHeader, ReadsBackWhatWasWritten) {
  const HeaderFields fields = fields_for(GetParam());
  const Buffer packet = make_packet(fields, 30);
  const auto parsed = parse_packet(packet, 8);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->type, fields.type);
  EXPECT_EQ(parsed->version, kVersion1);
  EXPECT_FALSE(parsed->is_unknown_version);
  EXPECT_EQ(parsed->destination, fields.destination);
  EXPECT_EQ(parsed->source, fields.source);
  EXPECT_TRUE(std::ranges::equal(parsed->token, fields.token));
  EXPECT_EQ(parsed->packet_number_offset, header_size(fields) - 4);
  EXPECT_EQ(parsed->size, packet.size());
}

TEST_P(LongHeader, IsDroppedWhenCutAnywhere) {
  const Buffer packet = make_packet(fields_for(GetParam()), 30);
  for (std::size_t cut = 0; cut < packet.size(); ++cut) {
    EXPECT_FALSE(parse_packet(Bytes{packet}.first(cut), 8)) << cut;
  }
}

TEST_P(LongHeader, IsDroppedWithoutTheFixedBit) {
  Buffer packet = make_packet(fields_for(GetParam()), 30);
  packet[0] &= 0xbf;
  EXPECT_FALSE(parse_packet(packet, 8));
}

TEST_P(LongHeader, EndsWhereTheNextCoalescedPacketBegins) {
  Buffer datagram = make_packet(fields_for(GetParam()), 30);
  const std::size_t first_size = datagram.size();
  const Buffer second = make_packet(fields_for(PacketType::one_rtt), 20);
  datagram.insert(datagram.end(), second.begin(), second.end());
  const auto first = parse_packet(datagram, 8);
  ASSERT_TRUE(first);
  EXPECT_EQ(first->size, first_size);
  const auto next = parse_packet(Bytes{datagram}.subspan(first->size), 8);
  ASSERT_TRUE(next);
  EXPECT_EQ(next->type, PacketType::one_rtt);
}

INSTANTIATE_TEST_SUITE_P(Types, LongHeader,
                         testing::Values(PacketType::initial, PacketType::zero_rtt, PacketType::handshake),
                         [](const auto& instance) {
                           std::string name = to_string(instance.param);
                           return name == "0RTT" ? "ZeroRtt" : name;
                         });

// The client Initial of RFC 9001 §A.2, its header before protection.
TEST(PacketHeader, WritesTheInitialHeaderOfRfc9001AppendixA2) {
  HeaderFields fields;
  fields.type = PacketType::initial;
  fields.destination = ConnectionId{Buffer{0x83, 0x94, 0xc8, 0xf0, 0x3e, 0x51, 0x57, 0x08}};
  fields.packet_number = 2;
  fields.packet_number_size = 4;
  Buffer packet = make_packet(fields, 1162 + 16);
  const Buffer expected{0xc3, 0x00, 0x00, 0x00, 0x01, 0x08, 0x83, 0x94, 0xc8, 0xf0, 0x3e,
                        0x51, 0x57, 0x08, 0x00, 0x00, 0x44, 0x9e, 0x00, 0x00, 0x00, 0x02};
  packet.resize(header_size(fields));
  EXPECT_EQ(packet, expected);
}

TEST(PacketHeader, WritesEveryPacketNumberSize) {
  for (std::size_t size = 1; size <= 4; ++size) {
    HeaderFields fields = fields_for(PacketType::one_rtt);
    fields.packet_number_size = size;
    const Buffer packet = make_packet(fields, 0);
    EXPECT_EQ(packet[0] & 3U, size - 1);
    const std::array<std::uint8_t, 4> number{0x12, 0x34, 0x56, 0x78};
    EXPECT_TRUE(std::ranges::equal(Bytes{packet}.last(size), Bytes{number}.last(size)));
  }
}

TEST(ShortHeader, CarriesSpinAndKeyPhase) {
  HeaderFields fields = fields_for(PacketType::one_rtt);
  EXPECT_EQ(make_packet(fields, 0)[0], 0x43);
  fields.spin = true;
  EXPECT_EQ(make_packet(fields, 0)[0], 0x63);
  fields.spin = false;
  fields.key_phase = true;
  EXPECT_EQ(make_packet(fields, 0)[0], 0x47);
}

TEST(ShortHeader, TakesAnIdOfTheLengthThatWeIssue) {
  const Buffer packet = make_packet(fields_for(PacketType::one_rtt), 20);
  const auto parsed = parse_packet(packet, 8);
  ASSERT_TRUE(parsed);
  EXPECT_EQ(parsed->type, PacketType::one_rtt);
  EXPECT_EQ(parsed->destination, fields_for(PacketType::one_rtt).destination);
  EXPECT_EQ(parsed->packet_number_offset, 9U);
  EXPECT_EQ(parsed->size, packet.size());
  EXPECT_EQ(parse_packet(packet, 0)->packet_number_offset, 1U);
}

TEST(ShortHeader, IsDroppedWhenTooShortOrWithoutTheFixedBit) {
  Buffer packet = make_packet(fields_for(PacketType::one_rtt), 20);
  for (std::size_t cut = 0; cut <= 9; ++cut) EXPECT_FALSE(parse_packet(Bytes{packet}.first(cut), 8)) << cut;
  packet[0] &= 0xbf;
  EXPECT_FALSE(parse_packet(packet, 8));
}

TEST(PacketHeader, OfAnUnknownVersionGivesItsIds) {
  // The fixed bit is zero: another version may use it otherwise.
  const Buffer packet{0x80, 0xfa, 0xce, 0xb0, 0x0c, 2, 1, 2, 1, 3, 0x99, 0x98};
  const auto parsed = parse_packet(packet, 8);
  ASSERT_TRUE(parsed);
  EXPECT_TRUE(parsed->is_unknown_version);
  EXPECT_EQ(parsed->version, 0xfaceb00cU);
  EXPECT_EQ(parsed->destination, (ConnectionId{Buffer{1, 2}}));
  EXPECT_EQ(parsed->source, ConnectionId{Buffer{3}});
  EXPECT_EQ(parsed->size, packet.size());
}

// RFC 9000 §17.2: more than 20 bytes in version 1 must be dropped; other versions may have them (RFC 8999
// §5.1).
TEST(PacketHeader, WithAnIdOver20BytesIsReadOnlyAsInvariant) {
  for (const std::size_t long_one : {std::size_t{0}, std::size_t{1}}) {
    Buffer packet{0xc0, 0, 0, 0, 1};
    const Buffer longest(255, 7);
    const Buffer brief(20, 8);
    for (const std::size_t i : {std::size_t{0}, std::size_t{1}}) {
      const Buffer& id = i == long_one ? longest : brief;
      packet.push_back(static_cast<std::uint8_t>(id.size()));
      packet.insert(packet.end(), id.begin(), id.end());
    }
    packet.resize(1200);
    EXPECT_FALSE(parse_packet(packet, 8));
    const auto invariant = parse_invariant(packet);
    ASSERT_TRUE(invariant);
    EXPECT_EQ(invariant->version, 1U);
    EXPECT_EQ(invariant->destination.size(), long_one == 0 ? 255U : 20U);
    EXPECT_EQ(invariant->source.size(), long_one == 1 ? 255U : 20U);
  }
}

TEST(InvariantHeader, IsNotReadFromShortHeadersOrCutBytes) {
  const Buffer packet{0xc0, 0, 0, 0, 1, 2, 1, 2, 1, 3};
  EXPECT_TRUE(parse_invariant(packet));
  for (std::size_t cut = 0; cut < packet.size(); ++cut) {
    EXPECT_FALSE(parse_invariant(Bytes{packet}.first(cut))) << cut;
  }
  EXPECT_FALSE(parse_invariant(make_packet(fields_for(PacketType::one_rtt), 30)));
}

TEST(PacketHeader, IsDroppedWhenItsLengthReachesBeyondTheDatagram) {
  // Length (§17.2) counts the packet number and the payload: here two bytes, of which one is missing.
  Buffer packet{0xe0, 0, 0, 0, 1, 0, 0, 2, 0x55};
  EXPECT_FALSE(parse_packet(packet, 8));
  packet.push_back(0x66);
  EXPECT_TRUE(parse_packet(packet, 8));
}

TEST(PacketHeaderDeathTest, RefusesALengthThatDoesNotFitTwoBytes) {
  const HeaderFields fields = fields_for(PacketType::handshake);
  Buffer packet(20000);
  Writer writer{packet};
  const WrittenHeader header = write_header(writer, fields);
  EXPECT_DEATH(patch_length(packet, header), "varint_size");
}

}  // namespace
}  // namespace quell
