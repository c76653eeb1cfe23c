// What can be read of a packet before its protection is removed, and how is a header written?
// (RFC 9000 §17, RFC 8999)
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>

#include "quell/base/units.h"
#include "quell/base/writer.h"
#include "quell/wire/connection_id.h"
#include "quell/wire/types.h"

namespace quell {

// One coalesced packet as found in a datagram, still protected. Views point into the datagram.
struct ProtectedPacket {
  PacketType type = PacketType::one_rtt;
  // 0 for short headers. For an unknown version only `version` and the connection IDs are filled in, type is
  // `initial` and `is_unknown_version` is set (RFC 8999 §5.1: such IDs may be longer than 20 bytes; those
  // packets are not returned at all).
  std::uint32_t version = 0;
  bool is_unknown_version = false;
  ConnectionId destination{};
  ConnectionId source{};       // long headers only
  Bytes token{};               // Initial: the token; Retry: the retry token
  Bytes supported_versions{};  // Version Negotiation: the raw list, a multiple of four bytes
  // Offset of the packet number from the packet's first byte (types with packet numbers).
  std::size_t packet_number_offset = 0;
  // The packet's whole length from its first byte; the next coalesced packet begins behind it.
  std::size_t size = 0;
};

// Reads the packet at the front of `datagram`. `short_id_size` is the length of the IDs that we issue.
// Nothing if the bytes cannot be a QUIC packet that we may process: it is then dropped (RFC 9000 §5.2). That
// covers a fixed bit of zero (short headers and version 1), a length field beyond the datagram, an ID over 20
// bytes, a Retry without a token. Other versions may give the fixed bit another meaning (RFC 8999 §4): there
// it is not looked at.
std::optional<ProtectedPacket> parse_packet(Bytes datagram, std::size_t short_id_size);

// Destination and source ID of a long header of any version, IDs up to 255 bytes (RFC 8999 §5.1), for Version
// Negotiation; nothing for short headers or truncated bytes.
struct InvariantHeader {
  std::uint32_t version = 0;
  Bytes destination{};
  Bytes source{};
};
std::optional<InvariantHeader> parse_invariant(Bytes datagram);

// What a header needs to be written; the packet number's size is chosen by the caller.
struct HeaderFields {
  PacketType type = PacketType::one_rtt;
  std::uint32_t version = kVersion1;
  ConnectionId destination{};
  ConnectionId source{};  // long headers only
  Bytes token{};          // Initial only
  PacketNumber packet_number = 0;
  std::size_t packet_number_size = 1;
  bool key_phase = false;  // short header only
  bool spin = false;       // short header only
};

// Bytes that `write_header` will use, packet number included. Long headers use a two-byte Length field.
std::size_t header_size(const HeaderFields& fields);

// Where the parts of a written header are, relative to the packet's first byte.
struct WrittenHeader {
  std::size_t length_offset = 0;  // two-byte Length field; 0 for short headers
  std::size_t packet_number_offset = 0;
  std::size_t payload_offset = 0;
};
// Writes an Initial, Handshake, 0-RTT or 1-RTT header. Length is written as zero: see `patch_length`.
WrittenHeader write_header(Writer& out, const HeaderFields& fields);
// Writes the Length field of a finished long-header packet (`packet` is the whole packet, AEAD tag included).
void patch_length(MutableBytes packet, const WrittenHeader& header);

}  // namespace quell
