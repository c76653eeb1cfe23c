#include "quell/wire/packet_header.h"

#include "quell/base/check.h"
#include "quell/base/reader.h"

namespace quell {
namespace {

constexpr std::uint8_t kLongForm = 0x80;
constexpr std::uint8_t kFixedBit = 0x40;
constexpr std::uint8_t kSpinBit = 0x20;
constexpr std::uint8_t kKeyPhaseBit = 0x04;
constexpr std::size_t kRetryTagSize = 16;  // RFC 9001 §5.8
constexpr std::size_t kLengthFieldSize =
    2;  // Choice: fixed, so that it can be patched; packets stay below 2^14

std::optional<ProtectedPacket> parse_short(Bytes datagram, std::size_t short_id_size) {
  if ((datagram[0] & kFixedBit) == 0) return std::nullopt;
  if (datagram.size() <= 1 + short_id_size) return std::nullopt;
  std::optional<ProtectedPacket> packet{std::in_place};
  packet->type = PacketType::one_rtt;
  packet->destination = ConnectionId{datagram.subspan(1, short_id_size)};
  packet->packet_number_offset = 1 + short_id_size;
  packet->size = datagram.size();
  return packet;
}

PacketType long_type(std::uint8_t first_byte) {
  switch (first_byte >> 4 & 3) {
    case 0:
      return PacketType::initial;
    case 1:
      return PacketType::zero_rtt;
    case 2:
      return PacketType::handshake;
    default:
      return PacketType::retry;
  }
}

std::uint8_t long_type_bits(PacketType type) {
  switch (type) {
    case PacketType::initial:
      return 0;
    case PacketType::zero_rtt:
      return 1;
    case PacketType::handshake:
      return 2;
    default:
      break;
  }
  QUELL_CHECK(type == PacketType::initial);  // other types are not written here
  return 0;
}

// Reads form, version and IDs; what follows depends on the version.
InvariantHeader read_invariant(Reader& reader) {
  InvariantHeader header;
  reader.skip(1);
  header.version = reader.u32();
  header.destination = reader.bytes(reader.u8());
  header.source = reader.bytes(reader.u8());
  return header;
}

// The part behind the IDs of a version 1 long header; false drops the packet.
bool read_version1_rest(Reader& reader, ProtectedPacket& packet) {
  if (packet.type == PacketType::retry) {
    // RFC 9000 §17.2.5.2: a Retry without a token is dropped.
    if (reader.remaining() <= kRetryTagSize) return false;
    packet.token = reader.bytes(reader.remaining() - kRetryTagSize);
    reader.skip(kRetryTagSize);
    packet.size = reader.position();
    return true;
  }
  if (packet.type == PacketType::initial) packet.token = reader.bytes(reader.varint());
  const std::uint64_t length = reader.varint();
  packet.packet_number_offset = reader.position();
  if (!reader.ok() || length == 0 || length > reader.remaining()) return false;
  packet.size = packet.packet_number_offset + static_cast<std::size_t>(length);
  return true;
}

std::optional<ProtectedPacket> parse_long(Bytes datagram) {
  Reader reader{datagram};
  const InvariantHeader header = read_invariant(reader);
  if (!reader.ok()) return std::nullopt;
  if (header.destination.size() > ConnectionId::kMaxSize) return std::nullopt;
  if (header.source.size() > ConnectionId::kMaxSize) return std::nullopt;

  ProtectedPacket packet;
  packet.type = PacketType::initial;
  packet.version = header.version;
  packet.destination = ConnectionId{header.destination};
  packet.source = ConnectionId{header.source};
  packet.size = datagram.size();
  if (header.version == 0) {
    packet.type = PacketType::version_negotiation;
    packet.supported_versions = reader.rest();
    if (packet.supported_versions.size() % 4 != 0) return std::nullopt;
    return packet;
  }
  if (header.version != kVersion1) {
    packet.is_unknown_version = true;
    return packet;
  }
  if ((datagram[0] & kFixedBit) == 0) return std::nullopt;
  packet.type = long_type(datagram[0]);
  if (!read_version1_rest(reader, packet)) return std::nullopt;
  return packet;
}

WrittenHeader write_short(Writer& out, const HeaderFields& fields) {
  const std::size_t start = out.position();
  WrittenHeader header;
  out.u8(static_cast<std::uint8_t>(kFixedBit | (fields.spin ? kSpinBit : 0) |
                                   (fields.key_phase ? kKeyPhaseBit : 0) | (fields.packet_number_size - 1)));
  out.bytes(fields.destination.bytes());
  header.packet_number_offset = out.position() - start;
  return header;
}

WrittenHeader write_long(Writer& out, const HeaderFields& fields) {
  const std::size_t start = out.position();
  WrittenHeader header;
  out.u8(static_cast<std::uint8_t>(kLongForm | kFixedBit | long_type_bits(fields.type) << 4 |
                                   (fields.packet_number_size - 1)));
  out.u32(fields.version);
  out.u8(static_cast<std::uint8_t>(fields.destination.size()));
  out.bytes(fields.destination.bytes());
  out.u8(static_cast<std::uint8_t>(fields.source.size()));
  out.bytes(fields.source.bytes());
  if (fields.type == PacketType::initial) {
    out.varint(fields.token.size());
    out.bytes(fields.token);
  }
  header.length_offset = out.position() - start;
  out.varint_of_size(0, kLengthFieldSize);
  header.packet_number_offset = out.position() - start;
  return header;
}

}  // namespace

std::optional<ProtectedPacket> parse_packet(Bytes datagram, std::size_t short_id_size) {
  if (datagram.empty()) return std::nullopt;
  const bool is_long = (datagram[0] & kLongForm) != 0;
  return is_long ? parse_long(datagram) : parse_short(datagram, short_id_size);
}

std::optional<InvariantHeader> parse_invariant(Bytes datagram) {
  if (datagram.empty() || (datagram[0] & kLongForm) == 0) return std::nullopt;
  Reader reader{datagram};
  const InvariantHeader header = read_invariant(reader);
  if (!reader.ok()) return std::nullopt;
  return header;
}

std::size_t header_size(const HeaderFields& fields) {
  if (fields.type == PacketType::one_rtt) {
    return 1 + fields.destination.size() + fields.packet_number_size;
  }
  const std::size_t token =
      fields.type == PacketType::initial ? varint_size(fields.token.size()) + fields.token.size() : 0;
  return 1 + 4 + 1 + fields.destination.size() + 1 + fields.source.size() + token + kLengthFieldSize +
         fields.packet_number_size;
}

WrittenHeader write_header(Writer& out, const HeaderFields& fields) {
  QUELL_CHECK(fields.packet_number_size >= 1);
  QUELL_CHECK(fields.packet_number_size <= 4);
  WrittenHeader header =
      fields.type == PacketType::one_rtt ? write_short(out, fields) : write_long(out, fields);
  out.big_endian(fields.packet_number, fields.packet_number_size);
  header.payload_offset = header.packet_number_offset + fields.packet_number_size;
  return header;
}

void patch_length(MutableBytes packet, const WrittenHeader& header) {
  QUELL_CHECK(header.length_offset > 0);
  QUELL_CHECK(packet.size() > header.packet_number_offset);
  Writer length{packet.subspan(header.length_offset, kLengthFieldSize)};
  length.varint_of_size(packet.size() - header.packet_number_offset, kLengthFieldSize);
}

}  // namespace quell
