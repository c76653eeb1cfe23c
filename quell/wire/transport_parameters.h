// What do the two ends promise each other in the handshake? (RFC 9000 §18)
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "quell/base/address.h"
#include "quell/base/time.h"
#include "quell/base/units.h"
#include "quell/wire/connection_id.h"
#include "quell/wire/error.h"
#include "quell/wire/types.h"

namespace quell {

struct PreferredAddress {
  std::optional<Address> v4{};
  std::optional<Address> v6{};
  ConnectionId id{};
  StatelessResetToken reset_token{};
};

// Defaults are those of RFC 9000 §18.2 for an absent parameter.
struct TransportParameters {
  std::optional<ConnectionId> original_destination_connection_id{};  // server only
  std::optional<ConnectionId> initial_source_connection_id{};
  std::optional<ConnectionId> retry_source_connection_id{};    // server only
  std::optional<StatelessResetToken> stateless_reset_token{};  // server only
  std::optional<PreferredAddress> preferred_address{};         // server only
  Duration max_idle_timeout{0};                                // zero: none. Whole milliseconds on the wire
  ByteCount max_udp_payload_size = kMaxUdpPayload;
  ByteCount initial_max_data = 0;
  ByteCount initial_max_stream_data_bidi_local = 0;
  ByteCount initial_max_stream_data_bidi_remote = 0;
  ByteCount initial_max_stream_data_uni = 0;
  std::uint64_t initial_max_streams_bidi = 0;
  std::uint64_t initial_max_streams_uni = 0;
  std::uint64_t ack_delay_exponent = 3;       // at most 20
  Duration max_ack_delay = milliseconds{25};  // below 2^14 ms
  bool disable_active_migration = false;
  std::uint64_t active_connection_id_limit = 2;  // at least 2
  // RFC 9221 §3; zero: DATAGRAM frames are not accepted.
  ByteCount max_datagram_frame_size = 0;
};

// Only what differs from its default is written; durations are rounded up to whole milliseconds. Values out
// of their range are our own bug. `grease` adds one reserved parameter (31 × N + 27, §18.1) when it has a
// value: that N.
std::vector<std::uint8_t> encode(const TransportParameters& parameters,
                                 std::optional<std::uint64_t> grease = {});

// `sender` is the side that sent them. Errors, all TRANSPORT_PARAMETER_ERROR (§7.4, §18.2): a duplicate, a
// malformed or out-of-range value, a server-only parameter from a client, a preferred address with an empty
// ID. Unknown ones are ignored, repeated or not. A max_idle_timeout above one year reads as one year.
Result<TransportParameters> decode_transport_parameters(Bytes encoded, Side sender);

}  // namespace quell
