#include "quell/wire/transport_parameters.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <array>
#include <vector>

#include "quell/base/varint.h"
#include "quell/base/writer.h"

namespace quell {
namespace {

using Buffer = std::vector<std::uint8_t>;

ConnectionId id_of(std::size_t size, std::uint8_t byte) {
  return ConnectionId{Buffer(size, byte)};
}

Buffer operator+(Buffer left, const Buffer& right) {
  left.insert(left.end(), right.begin(), right.end());
  return left;
}

Buffer varint(std::uint64_t value) {
  Buffer buffer(varint_size(value));
  Writer writer{buffer};
  writer.varint(value);
  return buffer;
}

Buffer parameter(std::uint64_t id, const Buffer& value) {
  return varint(id) + varint(value.size()) + value;
}
Buffer integer(std::uint64_t id, std::uint64_t value) {
  return parameter(id, varint(value));
}

bool is_refused(const Buffer& encoded, Side sender = Side::server) {
  const auto decoded = decode_transport_parameters(encoded, sender);
  if (decoded) return false;
  EXPECT_EQ(decoded.error().code, TransportError::transport_parameter_error);
  EXPECT_FALSE(decoded.error().reason.empty());
  return true;
}

TransportParameters decoded(const Buffer& encoded, Side sender = Side::server) {
  const auto result = decode_transport_parameters(encoded, sender);
  EXPECT_TRUE(result) << (result ? "" : result.error().reason);
  return result.value_or(TransportParameters{});
}

TransportParameters all_of_a_server() {
  TransportParameters p;
  p.original_destination_connection_id = id_of(8, 0x11);
  p.initial_source_connection_id = id_of(0, 0);
  p.retry_source_connection_id = id_of(20, 0x22);
  p.stateless_reset_token = StatelessResetToken{1, 2, 3};
  PreferredAddress preferred;
  preferred.v4 = Address::v4({192, 0, 2, 1}, 443);
  preferred.v6 = Address::v6({0x20, 0x01, 0x0d, 0xb8}, 8443);
  preferred.id = id_of(5, 0x33);
  preferred.reset_token.fill(0x44);
  p.preferred_address = preferred;
  p.max_idle_timeout = seconds{30};
  p.max_udp_payload_size = 1472;
  p.initial_max_data = 10'000'000;
  p.initial_max_stream_data_bidi_local = 1'000'001;
  p.initial_max_stream_data_bidi_remote = 1'000'002;
  p.initial_max_stream_data_uni = 1'000'003;
  p.initial_max_streams_bidi = 100;
  p.initial_max_streams_uni = std::uint64_t{1} << 60;
  p.ack_delay_exponent = 20;
  p.max_ack_delay = milliseconds{16383};
  p.disable_active_migration = true;
  p.active_connection_id_limit = 8;
  p.max_datagram_frame_size = 65535;
  return p;
}

void expect_same(const TransportParameters& a, const TransportParameters& b) {
  EXPECT_EQ(a.original_destination_connection_id, b.original_destination_connection_id);
  EXPECT_EQ(a.initial_source_connection_id, b.initial_source_connection_id);
  EXPECT_EQ(a.retry_source_connection_id, b.retry_source_connection_id);
  EXPECT_EQ(a.stateless_reset_token, b.stateless_reset_token);
  ASSERT_EQ(a.preferred_address.has_value(), b.preferred_address.has_value());
  if (a.preferred_address) {
    EXPECT_EQ(a.preferred_address->v4, b.preferred_address->v4);
    EXPECT_EQ(a.preferred_address->v6, b.preferred_address->v6);
    EXPECT_EQ(a.preferred_address->id, b.preferred_address->id);
    EXPECT_EQ(a.preferred_address->reset_token, b.preferred_address->reset_token);
  }
  EXPECT_EQ(a.max_idle_timeout, b.max_idle_timeout);
  EXPECT_EQ(a.max_udp_payload_size, b.max_udp_payload_size);
  EXPECT_EQ(a.initial_max_data, b.initial_max_data);
  EXPECT_EQ(a.initial_max_stream_data_bidi_local, b.initial_max_stream_data_bidi_local);
  EXPECT_EQ(a.initial_max_stream_data_bidi_remote, b.initial_max_stream_data_bidi_remote);
  EXPECT_EQ(a.initial_max_stream_data_uni, b.initial_max_stream_data_uni);
  EXPECT_EQ(a.initial_max_streams_bidi, b.initial_max_streams_bidi);
  EXPECT_EQ(a.initial_max_streams_uni, b.initial_max_streams_uni);
  EXPECT_EQ(a.ack_delay_exponent, b.ack_delay_exponent);
  EXPECT_EQ(a.max_ack_delay, b.max_ack_delay);
  EXPECT_EQ(a.disable_active_migration, b.disable_active_migration);
  EXPECT_EQ(a.active_connection_id_limit, b.active_connection_id_limit);
  EXPECT_EQ(a.max_datagram_frame_size, b.max_datagram_frame_size);
}

TEST(TransportParameters, ComeBackAsTheyWereSent) {
  expect_same(decoded(encode(all_of_a_server())), all_of_a_server());
}

// RFC 9000 §18.2.
TEST(TransportParameters, HaveTheRfcsDefaultsWhenAbsent) {
  const TransportParameters p = decoded({});
  EXPECT_EQ(p.max_idle_timeout, Duration{0});
  EXPECT_EQ(p.max_udp_payload_size, 65527U);
  EXPECT_EQ(p.initial_max_data, 0U);
  EXPECT_EQ(p.ack_delay_exponent, 3U);
  EXPECT_EQ(p.max_ack_delay, milliseconds{25});
  EXPECT_EQ(p.active_connection_id_limit, 2U);
  EXPECT_FALSE(p.disable_active_migration);
  EXPECT_EQ(p.max_datagram_frame_size, 0U);
  EXPECT_FALSE(p.initial_source_connection_id);
}

TEST(TransportParameters, AtTheirDefaultsAreNotSent) {
  EXPECT_TRUE(encode(TransportParameters{}).empty());
}

TEST(TransportParameters, AreLaidOutUnderTheRfcsIdentifiers) {
  TransportParameters p;
  p.initial_source_connection_id = id_of(2, 0xcc);
  p.max_idle_timeout = milliseconds{100};
  p.initial_max_data = 5;
  p.disable_active_migration = true;
  p.max_datagram_frame_size = 1;
  EXPECT_EQ(encode(p), (Buffer{0x01, 0x02, 0x40, 0x64, 0x04, 0x01, 0x05, 0x0c, 0x00,  //
                               0x0f, 0x02, 0xcc, 0xcc, 0x20, 0x01, 0x01}));
}

TEST(TransportParameters, RoundDurationsUpToMilliseconds) {
  TransportParameters p;
  p.max_idle_timeout = microseconds{1};
  EXPECT_EQ(decoded(encode(p)).max_idle_timeout, milliseconds{1});
}

TEST(TransportParameters, CarryAPreferredAddressOfOneFamily) {
  TransportParameters p = all_of_a_server();
  p.preferred_address->v4.reset();
  expect_same(decoded(encode(p)), p);
  p = all_of_a_server();
  p.preferred_address->v6.reset();
  expect_same(decoded(encode(p)), p);
}

TEST(TransportParameters, CapAnEndlessIdleTimeout) {
  EXPECT_EQ(decoded(integer(0x01, kVarintMax)).max_idle_timeout, hours{365 * 24});
}

// RFC 9000 §18.1.
TEST(TransportParameters, AreGreasedWithAReservedIdentifier) {
  const Buffer encoded = encode(all_of_a_server(), 1000);
  const Buffer plain = encode(all_of_a_server());
  EXPECT_EQ(encoded, plain + parameter(31 * 1000 + 27, {}));
  expect_same(decoded(encoded), all_of_a_server());
}

TEST(TransportParameters, IgnoreWhatTheyDoNotKnow) {
  const Buffer unknown =
      parameter(0x11, {1, 2, 3}) + parameter(0x3f, {}) + parameter(kVarintMax, Buffer(300));
  expect_same(decoded(unknown + encode(all_of_a_server())), all_of_a_server());
}

TEST(TransportParameters, AreRefusedWhenCutInsideAParameter) {
  // Every parameter's end is a legal end of the whole; any other is not.
  const Buffer encoded = integer(0x04, 70000) + parameter(0x02, Buffer(16)) + parameter(0x0c, {});
  for (std::size_t cut = 0; cut <= encoded.size(); ++cut) {
    const bool at_end = cut == 0 || cut == 6 || cut == 6 + 18 || cut == encoded.size();
    EXPECT_EQ(is_refused(Buffer(encoded.begin(), encoded.begin() + static_cast<std::ptrdiff_t>(cut))),
              !at_end)
        << cut;
  }
}

struct Bound {
  std::uint64_t id;
  std::uint64_t least;
  std::uint64_t most;
};
// RFC 9000 §18.2 and §4.6.
constexpr std::array<Bound, 12> kBounds{{{0x01, 0, kVarintMax},
                                         {0x03, 1200, kVarintMax},
                                         {0x04, 0, kVarintMax},
                                         {0x05, 0, kVarintMax},
                                         {0x06, 0, kVarintMax},
                                         {0x07, 0, kVarintMax},
                                         {0x08, 0, std::uint64_t{1} << 60},
                                         {0x09, 0, std::uint64_t{1} << 60},
                                         {0x0a, 0, 20},
                                         {0x0b, 0, (1U << 14) - 1},
                                         {0x0e, 2, kVarintMax},
                                         {0x20, 0, kVarintMax}}};

TEST(TransportParameters, AreRefusedOutOfTheirRange) {
  for (const Bound& bound : kBounds) {
    EXPECT_FALSE(is_refused(integer(bound.id, bound.least))) << bound.id;
    EXPECT_FALSE(is_refused(integer(bound.id, bound.most))) << bound.id;
    if (bound.least > 0) {
      EXPECT_TRUE(is_refused(integer(bound.id, bound.least - 1))) << bound.id;
    }
    if (bound.most < kVarintMax) {
      EXPECT_TRUE(is_refused(integer(bound.id, bound.most + 1))) << bound.id;
    }
  }
}

TEST(TransportParameters, AreRefusedWhenNotOneInteger) {
  for (const Bound& bound : kBounds) {
    EXPECT_TRUE(is_refused(parameter(bound.id, {}))) << bound.id;
    EXPECT_TRUE(is_refused(parameter(bound.id, {0x80, 0x00, 0x10}))) << bound.id;
    EXPECT_TRUE(is_refused(parameter(bound.id, varint(bound.least) + Buffer{0}))) << bound.id;
  }
}

// §16: any length of encoding will do.
TEST(TransportParameters, AreReadInLongerEncodings) {
  EXPECT_EQ(decoded(parameter(0x0a, {0xc0, 0, 0, 0, 0, 0, 0, 4})).ack_delay_exponent, 4U);
}

// §7.4.
TEST(TransportParameters, AreRefusedWhenRepeated) {
  const TransportParameters p = all_of_a_server();
  const Buffer encoded = encode(p);
  EXPECT_TRUE(is_refused(encoded + encoded));
  for (const Bound& bound : kBounds) {
    EXPECT_TRUE(is_refused(integer(bound.id, bound.least) + integer(bound.id, bound.least))) << bound.id;
  }
  for (const std::uint64_t id : {0x00, 0x0f, 0x10}) {
    EXPECT_TRUE(is_refused(parameter(id, {1}) + parameter(id, {1}))) << id;
  }
  EXPECT_TRUE(is_refused(parameter(0x0c, {}) + parameter(0x0c, {})));
  EXPECT_TRUE(is_refused(parameter(0x02, Buffer(16)) + parameter(0x02, Buffer(16))));
}

TEST(TransportParameters, AreRefusedWithAnIdOver20Bytes) {
  for (const std::uint64_t id : {0x00, 0x0f, 0x10}) {
    EXPECT_FALSE(is_refused(parameter(id, Buffer(20)))) << id;
    EXPECT_FALSE(is_refused(parameter(id, {}))) << id;
    EXPECT_TRUE(is_refused(parameter(id, Buffer(21)))) << id;
  }
}

TEST(TransportParameters, AreRefusedWithATokenNotOf16Bytes) {
  for (const std::size_t size : {0, 15, 17}) EXPECT_TRUE(is_refused(parameter(0x02, Buffer(size)))) << size;
  EXPECT_FALSE(is_refused(parameter(0x02, Buffer(16))));
}

TEST(TransportParameters, AreRefusedWhenDisableActiveMigrationHasAValue) {
  EXPECT_TRUE(is_refused(parameter(0x0c, {0})));
  EXPECT_TRUE(decoded(parameter(0x0c, {})).disable_active_migration);
}

Buffer preferred_address(const Buffer& id) {
  return parameter(
      0x0d, Buffer(4 + 2 + 16 + 2, 1) + Buffer{static_cast<std::uint8_t>(id.size())} + id + Buffer(16));
}

TEST(TransportParameters, AreRefusedWithAPreferredAddressWithoutAProperId) {
  EXPECT_FALSE(is_refused(preferred_address(Buffer(1))));
  EXPECT_FALSE(is_refused(preferred_address(Buffer(20))));
  EXPECT_TRUE(is_refused(preferred_address({})));
  EXPECT_TRUE(is_refused(preferred_address(Buffer(21))));
}

TEST(TransportParameters, AreRefusedWithAPreferredAddressOfAnotherLength) {
  const Buffer whole = Buffer(24, 1) + Buffer{2, 9, 9} + Buffer(16);
  EXPECT_FALSE(is_refused(parameter(0x0d, whole)));
  EXPECT_TRUE(is_refused(parameter(0x0d, whole + Buffer{0})));
  for (std::size_t cut = 0; cut < whole.size(); ++cut) {
    EXPECT_TRUE(
        is_refused(parameter(0x0d, Buffer(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(cut)))));
  }
}

// §18.2: original_destination_connection_id, preferred_address, retry_source_connection_id,
// stateless_reset_token.
TEST(TransportParameters, OfAClientAreRefusedWithThoseOfServers) {
  const std::array<Buffer, 4> server_only{parameter(0x00, {1}), parameter(0x02, Buffer(16)),
                                          preferred_address({1}), parameter(0x10, {1})};
  for (const Buffer& encoded : server_only) {
    EXPECT_FALSE(is_refused(encoded, Side::server));
    EXPECT_TRUE(is_refused(encoded, Side::client));
  }
  EXPECT_FALSE(is_refused(parameter(0x0f, {1}), Side::client));
}

RC_GTEST_PROP(TransportParametersProperty, DecodeAnyBytesToSomethingStable, ()) {
  const auto bytes =
      *rc::gen::container<Buffer>(rc::gen::element<std::uint8_t>(0, 1, 2, 3, 4, 5, 8, 12, 15, 32, 64));
  const auto first = decode_transport_parameters(bytes, Side::client);
  if (!first) return;
  const Buffer encoded = encode(*first);
  const auto second = decode_transport_parameters(encoded, Side::client);
  RC_ASSERT(second.has_value());
  RC_ASSERT(encode(*second) == encoded);
}

TEST(TransportParametersDeathTest, RefuseToSendWhatAPeerWouldRefuse) {
  TransportParameters p;
  p.ack_delay_exponent = 21;
  EXPECT_DEATH(encode(p), "ack_delay_exponent");
  p = TransportParameters{};
  p.active_connection_id_limit = 1;
  EXPECT_DEATH(encode(p), "active_connection_id_limit");
  p = TransportParameters{};
  p.max_ack_delay = milliseconds{16384};
  EXPECT_DEATH(encode(p), "max_ack_delay");
  p = TransportParameters{};
  p.preferred_address = PreferredAddress{};
  EXPECT_DEATH(encode(p), "preferred");
}

}  // namespace
}  // namespace quell
