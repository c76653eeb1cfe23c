#include "quell/wire/version_packets.h"

#include "quell/base/check.h"
#include "quell/wire/types.h"

namespace quell {
namespace {

void write_long_prefix(Writer& out, std::uint8_t first_byte, std::uint32_t version, Bytes destination,
                       Bytes source) {
  QUELL_CHECK(destination.size() <= 255);
  QUELL_CHECK(source.size() <= 255);
  out.u8(first_byte);
  out.u32(version);
  out.u8(static_cast<std::uint8_t>(destination.size()));
  out.bytes(destination);
  out.u8(static_cast<std::uint8_t>(source.size()));
  out.bytes(source);
}

}  // namespace

void write_version_negotiation(Writer& out, Bytes destination, Bytes source,
                               std::span<const std::uint32_t> versions, std::uint8_t random_first_byte) {
  // RFC 9000 §17.2.1 advises 0x40, so that the packet passes where QUIC shares a port (RFC 7983).
  write_long_prefix(out, random_first_byte | 0xc0, 0, destination, source);
  for (const std::uint32_t version : versions) out.u32(version);
}

void write_retry_without_tag(Writer& out, std::uint32_t version, const ConnectionId& destination,
                             const ConnectionId& source, Bytes token, std::uint8_t random_first_byte) {
  QUELL_CHECK(!token.empty());  // RFC 9000 §17.2.5.2: the client would drop it
  write_long_prefix(out, random_first_byte | 0xf0, version, destination.bytes(), source.bytes());
  out.bytes(token);
}

void write_stateless_reset(Writer& out, std::size_t size, Bytes random, const StatelessResetToken& token) {
  QUELL_CHECK(size >= 21);
  QUELL_CHECK(random.size() == size - token.size());
  out.u8(static_cast<std::uint8_t>((random[0] & 0x3f) | 0x40));
  out.bytes(random.subspan(1));
  out.bytes(token);
}

}  // namespace quell
