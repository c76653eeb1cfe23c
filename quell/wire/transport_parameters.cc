#include "quell/wire/transport_parameters.h"

#include <algorithm>
#include <array>
#include <chrono>

#include "quell/base/check.h"
#include "quell/base/reader.h"
#include "quell/base/varint.h"
#include "quell/base/writer.h"

namespace quell {
namespace {

// RFC 9000 §18.2; the last is RFC 9221 §3.
enum Id : std::uint64_t {
  kOriginalDestinationConnectionId = 0x00,
  kMaxIdleTimeout = 0x01,
  kStatelessResetToken = 0x02,
  kMaxUdpPayloadSize = 0x03,
  kInitialMaxData = 0x04,
  kInitialMaxStreamDataBidiLocal = 0x05,
  kInitialMaxStreamDataBidiRemote = 0x06,
  kInitialMaxStreamDataUni = 0x07,
  kInitialMaxStreamsBidi = 0x08,
  kInitialMaxStreamsUni = 0x09,
  kAckDelayExponent = 0x0a,
  kMaxAckDelay = 0x0b,
  kDisableActiveMigration = 0x0c,
  kPreferredAddress = 0x0d,
  kActiveConnectionIdLimit = 0x0e,
  kInitialSourceConnectionId = 0x0f,
  kRetrySourceConnectionId = 0x10,
  kMaxDatagramFrameSize = 0x20,
};

constexpr std::uint64_t kMaxStreams = std::uint64_t{1} << 60;  // §4.6
constexpr std::uint64_t kMaxAckDelayBound = 1U << 14;
// Choice: a peer may name 2^62 ms; nobody waits so long, and sums with a time must not overflow.
constexpr std::uint64_t kLongestIdleTimeoutMs = 365ULL * 24 * 3600 * 1000;

std::uint64_t whole_milliseconds(Duration d) {
  QUELL_CHECK(d >= Duration{0});
  return static_cast<std::uint64_t>(std::chrono::ceil<milliseconds>(d).count());
}

// Writes (id, length, value) triples.
class Encoder {
 public:
  explicit Encoder(Writer& out) : out_(out) {}

  void bytes(std::uint64_t id, Bytes value) {
    out_.varint(id);
    out_.varint(value.size());
    out_.bytes(value);
  }
  void integer(std::uint64_t id, std::uint64_t value, std::uint64_t absent = 0) {
    if (value == absent) return;
    out_.varint(id);
    out_.varint(varint_size(value));
    out_.varint(value);
  }
  void id(std::uint64_t id, const std::optional<ConnectionId>& value) {
    if (value) bytes(id, value->bytes());
  }

 private:
  Writer& out_;
};

void write_address(Writer& out, const std::optional<Address>& address, std::size_t ip_size) {
  if (!address) {
    out.fill(0, ip_size + 2);
    return;
  }
  QUELL_CHECK(address->ip().size() == ip_size);
  out.bytes(address->ip());
  out.u16(address->port());
}

void encode_preferred_address(Encoder& encoder, const PreferredAddress& preferred) {
  QUELL_CHECK(!preferred.id.empty());
  std::array<std::uint8_t, 4 + 2 + 16 + 2 + 1 + ConnectionId::kMaxSize + 16> buffer{};
  Writer out{buffer};
  write_address(out, preferred.v4, 4);
  write_address(out, preferred.v6, 16);
  out.u8(static_cast<std::uint8_t>(preferred.id.size()));
  out.bytes(preferred.id.bytes());
  out.bytes(preferred.reset_token);
  encoder.bytes(kPreferredAddress, out.written());
}

void check_ranges(const TransportParameters& p) {
  QUELL_CHECK(p.max_udp_payload_size >= kMinInitialDatagram);
  QUELL_CHECK(p.initial_max_streams_bidi <= kMaxStreams);
  QUELL_CHECK(p.initial_max_streams_uni <= kMaxStreams);
  QUELL_CHECK(p.ack_delay_exponent <= 20);
  QUELL_CHECK(whole_milliseconds(p.max_ack_delay) < kMaxAckDelayBound);
  QUELL_CHECK(p.active_connection_id_limit >= 2);
}

// Reads values into the parameters. `problem` is null while everything was right.
class Decoder {
 public:
  Decoder(TransportParameters& out, Side sender) : out_(out), sender_(sender) {}

  const char* problem() const { return problem_; }

  void on_parameter(std::uint64_t id, Bytes value) {
    if (id > kMaxDatagramFrameSize) return;
    if ((seen_ >> id & 1) != 0 && is_known(id)) return complain("transport parameter is repeated");
    seen_ |= std::uint64_t{1} << id;
    switch (id) {
      case kOriginalDestinationConnectionId:
        return server_id(out_.original_destination_connection_id, value);
      case kMaxIdleTimeout:
        return idle_timeout(value);
      case kStatelessResetToken:
        return reset_token(value);
      case kMaxUdpPayloadSize:
        return integer(out_.max_udp_payload_size, value, kMinInitialDatagram, kVarintMax);
      case kInitialMaxData:
        return integer(out_.initial_max_data, value);
      case kInitialMaxStreamDataBidiLocal:
        return integer(out_.initial_max_stream_data_bidi_local, value);
      case kInitialMaxStreamDataBidiRemote:
        return integer(out_.initial_max_stream_data_bidi_remote, value);
      case kInitialMaxStreamDataUni:
        return integer(out_.initial_max_stream_data_uni, value);
      case kInitialMaxStreamsBidi:
        return integer(out_.initial_max_streams_bidi, value, 0, kMaxStreams);
      case kInitialMaxStreamsUni:
        return integer(out_.initial_max_streams_uni, value, 0, kMaxStreams);
      case kAckDelayExponent:
        return integer(out_.ack_delay_exponent, value, 0, 20);
      case kMaxAckDelay:
        return ack_delay(value);
      case kDisableActiveMigration:
        return flag(out_.disable_active_migration, value);
      case kPreferredAddress:
        return preferred_address(value);
      case kActiveConnectionIdLimit:
        return integer(out_.active_connection_id_limit, value, 2, kVarintMax);
      case kInitialSourceConnectionId:
        return connection_id(out_.initial_source_connection_id, value);
      case kRetrySourceConnectionId:
        return server_id(out_.retry_source_connection_id, value);
      case kMaxDatagramFrameSize:
        return integer(out_.max_datagram_frame_size, value);
      default:
        return;  // §7.4.2: unknown parameters are ignored
    }
  }

 private:
  static bool is_known(std::uint64_t id) {
    return id <= kRetrySourceConnectionId || id == kMaxDatagramFrameSize;
  }
  void complain(const char* problem) { problem_ = problem; }

  void integer(std::uint64_t& field, Bytes value, std::uint64_t least = 0, std::uint64_t most = kVarintMax) {
    Reader reader{value};
    const std::uint64_t n = reader.varint();
    if (!reader.ok() || !reader.empty()) return complain("transport parameter is not one integer");
    if (n < least || n > most) return complain("transport parameter is out of range");
    field = n;
  }
  void idle_timeout(Bytes value) {
    std::uint64_t ms = 0;
    integer(ms, value);
    out_.max_idle_timeout = milliseconds{std::min(ms, kLongestIdleTimeoutMs)};
  }
  void ack_delay(Bytes value) {
    std::uint64_t ms = 0;
    integer(ms, value, 0, kMaxAckDelayBound - 1);
    out_.max_ack_delay = milliseconds{ms};
  }
  void flag(bool& field, Bytes value) {
    if (!value.empty()) return complain("transport parameter must be empty");
    field = true;
  }
  void connection_id(std::optional<ConnectionId>& field, Bytes value) {
    if (value.size() > ConnectionId::kMaxSize) return complain("connection ID is over 20 bytes");
    field = ConnectionId{value};
  }
  bool sent_by_server() {
    if (sender_ == Side::client) complain("client sent a parameter of servers");
    return sender_ == Side::server;
  }
  void server_id(std::optional<ConnectionId>& field, Bytes value) {
    if (sent_by_server()) connection_id(field, value);
  }
  void reset_token(Bytes value) {
    StatelessResetToken token{};
    if (!sent_by_server()) return;
    if (value.size() != token.size()) return complain("stateless_reset_token is not 16 bytes");
    std::copy(value.begin(), value.end(), token.begin());
    out_.stateless_reset_token = token;
  }
  void preferred_address(Bytes value) {
    if (!sent_by_server()) return;
    PreferredAddress preferred;
    Reader reader{value};
    const Bytes v4 = reader.bytes(4);
    const std::uint16_t v4_port = reader.u16();
    const Bytes v6 = reader.bytes(16);
    const std::uint16_t v6_port = reader.u16();
    const Bytes id = reader.bytes(reader.u8());
    const Bytes token = reader.bytes(preferred.reset_token.size());
    if (!reader.ok() || !reader.empty()) return complain("preferred_address is malformed");
    if (id.empty() || id.size() > ConnectionId::kMaxSize) {
      return complain("preferred_address has no connection ID of 1 to 20 bytes");
    }
    preferred.v4 = address(v4, v4_port, Address::v4);
    preferred.v6 = address(v6, v6_port, Address::v6);
    preferred.id = ConnectionId{id};
    std::copy(token.begin(), token.end(), preferred.reset_token.begin());
    out_.preferred_address = preferred;
  }
  // §18.2: all zeros say that this family is not offered.
  template <std::size_t N>
  static std::optional<Address> address(Bytes ip, std::uint16_t port,
                                        Address (*make)(std::array<std::uint8_t, N>, std::uint16_t)) {
    std::array<std::uint8_t, N> bytes{};
    std::copy(ip.begin(), ip.end(), bytes.begin());
    if (port == 0 && bytes == std::array<std::uint8_t, N>{}) return std::nullopt;
    return make(bytes, port);
  }

  TransportParameters& out_;
  Side sender_;
  std::uint64_t seen_ = 0;  // bit per identifier below 64
  const char* problem_ = nullptr;
};

}  // namespace

std::vector<std::uint8_t> encode(const TransportParameters& p, std::optional<std::uint64_t> grease) {
  check_ranges(p);
  std::array<std::uint8_t, 512> buffer{};  // all parameters at their longest take less than 400 bytes
  Writer out{buffer};
  Encoder encoder{out};
  const TransportParameters absent;
  encoder.id(kOriginalDestinationConnectionId, p.original_destination_connection_id);
  encoder.integer(kMaxIdleTimeout, whole_milliseconds(p.max_idle_timeout));
  if (p.stateless_reset_token) encoder.bytes(kStatelessResetToken, *p.stateless_reset_token);
  encoder.integer(kMaxUdpPayloadSize, p.max_udp_payload_size, absent.max_udp_payload_size);
  encoder.integer(kInitialMaxData, p.initial_max_data);
  encoder.integer(kInitialMaxStreamDataBidiLocal, p.initial_max_stream_data_bidi_local);
  encoder.integer(kInitialMaxStreamDataBidiRemote, p.initial_max_stream_data_bidi_remote);
  encoder.integer(kInitialMaxStreamDataUni, p.initial_max_stream_data_uni);
  encoder.integer(kInitialMaxStreamsBidi, p.initial_max_streams_bidi);
  encoder.integer(kInitialMaxStreamsUni, p.initial_max_streams_uni);
  encoder.integer(kAckDelayExponent, p.ack_delay_exponent, absent.ack_delay_exponent);
  encoder.integer(kMaxAckDelay, whole_milliseconds(p.max_ack_delay),
                  whole_milliseconds(absent.max_ack_delay));
  if (p.disable_active_migration) encoder.bytes(kDisableActiveMigration, {});
  if (p.preferred_address) encode_preferred_address(encoder, *p.preferred_address);
  encoder.integer(kActiveConnectionIdLimit, p.active_connection_id_limit, absent.active_connection_id_limit);
  encoder.id(kInitialSourceConnectionId, p.initial_source_connection_id);
  encoder.id(kRetrySourceConnectionId, p.retry_source_connection_id);
  encoder.integer(kMaxDatagramFrameSize, p.max_datagram_frame_size);
  if (grease) encoder.bytes(31 * *grease + 27, {});
  const Bytes written = out.written();
  return {written.begin(), written.end()};
}

Result<TransportParameters> decode_transport_parameters(Bytes encoded, Side sender) {
  TransportParameters parameters;
  Decoder decoder{parameters, sender};
  Reader reader{encoded};
  while (!reader.empty() && decoder.problem() == nullptr) {
    const std::uint64_t id = reader.varint();
    const Bytes value = reader.bytes(reader.varint());
    if (!reader.ok())
      return fail(TransportError::transport_parameter_error, "transport parameters are truncated");
    decoder.on_parameter(id, value);
  }
  if (decoder.problem() != nullptr) {
    return fail(TransportError::transport_parameter_error, decoder.problem());
  }
  return parameters;
}

}  // namespace quell
