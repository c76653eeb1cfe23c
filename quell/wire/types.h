// What are the small words of the protocol? Spaces, sides, packet types, ECN.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

#include "quell/base/units.h"

namespace quell {

using StreamId = std::uint64_t;

inline constexpr std::uint32_t kVersion1 = 0x00000001;
// RFC 9000 §14.1: the least size of a datagram that carries an Initial packet.
inline constexpr std::size_t kMinInitialDatagram = 1200;
// Choice: 1,452 bytes fit a 1,500-byte MTU under IPv6; probing for more comes with PMTUD.
inline constexpr std::size_t kDefaultMaxDatagram = 1452;
inline constexpr std::size_t kMaxUdpPayload = 65527;

enum class Side : std::uint8_t { client, server };
constexpr Side other(Side side) {
  return side == Side::client ? Side::server : Side::client;
}

// Packet number spaces (RFC 9000 §12.3).
enum class Space : std::uint8_t { initial, handshake, application };
inline constexpr std::size_t kSpaceCount = 3;
inline constexpr std::array<Space, kSpaceCount> kSpaces{Space::initial, Space::handshake, Space::application};
constexpr std::size_t index(Space space) {
  return static_cast<std::size_t>(space);
}
const char* to_string(Space space);

enum class PacketType : std::uint8_t { initial, zero_rtt, handshake, retry, version_negotiation, one_rtt };
const char* to_string(PacketType type);
// Only for the packet types that carry packet numbers.
constexpr Space space_of(PacketType type) {
  return type == PacketType::initial     ? Space::initial
         : type == PacketType::handshake ? Space::handshake
                                         : Space::application;
}

// The two ECN bits of the IP header (RFC 3168 §5), by their values.
enum class Ecn : std::uint8_t { not_ect = 0, ect1 = 1, ect0 = 2, ce = 3 };

struct EcnCounts {
  std::uint64_t ect0 = 0;
  std::uint64_t ect1 = 0;
  std::uint64_t ce = 0;
  bool operator==(const EcnCounts&) const = default;
};

// Stream id arithmetic (RFC 9000 §2.1).
enum class StreamKind : std::uint8_t { bidi, uni };
constexpr Side initiator(StreamId id) {
  return (id & 1) == 0 ? Side::client : Side::server;
}
constexpr StreamKind kind(StreamId id) {
  return (id & 2) == 0 ? StreamKind::bidi : StreamKind::uni;
}
constexpr StreamId make_stream_id(Side side, StreamKind kind, std::uint64_t ordinal) {
  return ordinal << 2 | (kind == StreamKind::uni ? 2U : 0U) | (side == Side::server ? 1U : 0U);
}
constexpr std::uint64_t ordinal(StreamId id) {
  return id >> 2;
}

}  // namespace quell
