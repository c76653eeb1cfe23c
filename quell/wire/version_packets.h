// How do an endpoint's stateless packets look? Version Negotiation (RFC 9000 §17.2.1), Retry without its
// integrity tag (§17.2.5), stateless reset (§10.3).
#pragma once

#include <cstdint>
#include <span>

#include "quell/base/units.h"
#include "quell/base/writer.h"
#include "quell/wire/connection_id.h"

namespace quell {

// IDs may be up to 255 bytes: they are echoed from a version that we do not know. `random_first_byte` gives
// the unused bits.
void write_version_negotiation(Writer& out, Bytes destination, Bytes source,
                               std::span<const std::uint32_t> versions, std::uint8_t random_first_byte);

// All of a Retry packet but the 16-byte integrity tag.
void write_retry_without_tag(Writer& out, std::uint32_t version, const ConnectionId& destination,
                             const ConnectionId& source, Bytes token, std::uint8_t random_first_byte);

// A stateless reset of `size` bytes: random bits, fixed bit set, the token last. `random` must give size − 16
// bytes. size ≥ 21 (RFC 9000 §10.3).
void write_stateless_reset(Writer& out, std::size_t size, Bytes random, const StatelessResetToken& token);

}  // namespace quell
