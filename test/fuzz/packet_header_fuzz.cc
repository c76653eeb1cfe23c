// Can a datagram's headers be read outside of the datagram, or be read differently once rewritten?
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "quell/base/check.h"
#include "quell/wire/packet_header.h"

namespace quell {
namespace {

bool has_packet_number(const ProtectedPacket& packet) {
  return !packet.is_unknown_version && packet.type != PacketType::version_negotiation &&
         packet.type != PacketType::retry;
}

void check_bounds(const ProtectedPacket& packet, Bytes datagram) {
  QUELL_CHECK(packet.size > 0);
  QUELL_CHECK(packet.size <= datagram.size());
  QUELL_CHECK(packet.supported_versions.size() % 4 == 0);
  if (!packet.token.empty()) {
    QUELL_CHECK(packet.token.data() > datagram.data());
    QUELL_CHECK(packet.token.data() + packet.token.size() <= datagram.data() + packet.size);
  }
  if (!has_packet_number(packet)) return;
  QUELL_CHECK(packet.packet_number_offset > 0);
  QUELL_CHECK(packet.packet_number_offset < packet.size);
}

void check_invariant(const ProtectedPacket& packet, Bytes datagram) {
  const std::optional<InvariantHeader> invariant = parse_invariant(datagram);
  QUELL_CHECK(invariant.has_value() == (packet.type != PacketType::one_rtt));
  if (!invariant) return;
  QUELL_CHECK(invariant->version == packet.version);
  QUELL_CHECK(std::ranges::equal(invariant->destination, packet.destination.bytes()));
  QUELL_CHECK(std::ranges::equal(invariant->source, packet.source.bytes()));
}

void check_rewritten(const ProtectedPacket& packet, std::size_t short_id_size) {
  HeaderFields fields;
  fields.type = packet.type;
  fields.destination = packet.destination;
  fields.source = packet.source;
  fields.token = packet.token;
  fields.packet_number_size = 4;
  constexpr std::size_t kPayload = 20;
  std::vector<std::uint8_t> buffer(header_size(fields) + kPayload);
  Writer writer{buffer};
  const WrittenHeader written = write_header(writer, fields);
  QUELL_CHECK(writer.remaining() == kPayload);
  if (packet.type != PacketType::one_rtt) patch_length(buffer, written);

  const std::optional<ProtectedPacket> again = parse_packet(buffer, short_id_size);
  QUELL_CHECK(again.has_value());
  QUELL_CHECK(again->type == packet.type);
  QUELL_CHECK(again->version == packet.version);
  QUELL_CHECK(again->destination == packet.destination);
  QUELL_CHECK(again->source == packet.source);
  QUELL_CHECK(std::ranges::equal(again->token, packet.token));
  QUELL_CHECK(again->packet_number_offset == written.packet_number_offset);
  QUELL_CHECK(again->size == buffer.size());
}

// The first byte chooses the length of the IDs that we issue; the rest is the datagram.
void run(Bytes input) {
  if (input.empty()) return;
  const std::size_t short_id_size = input[0] % (ConnectionId::kMaxSize + 1);
  Bytes datagram = input.subspan(1);
  while (const std::optional<ProtectedPacket> packet = parse_packet(datagram, short_id_size)) {
    check_bounds(*packet, datagram);
    check_invariant(*packet, datagram);
    if (has_packet_number(*packet)) check_rewritten(*packet, short_id_size);
    datagram = datagram.subspan(packet->size);
  }
}

}  // namespace
}  // namespace quell

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  quell::run({data, size});
  return 0;
}
