#include "quell/wire/error.h"

#include <gtest/gtest.h>

#include "quell/wire/types.h"

namespace quell {
namespace {

TEST(TransportError, IsNamedAsInRfc9000Section20_1) {
  EXPECT_EQ(to_string(TransportError::no_error), "NO_ERROR");
  EXPECT_EQ(to_string(static_cast<TransportError>(0x07)), "FRAME_ENCODING_ERROR");
  EXPECT_EQ(to_string(static_cast<TransportError>(0x0a)), "PROTOCOL_VIOLATION");
  EXPECT_EQ(to_string(static_cast<TransportError>(0x10)), "NO_VIABLE_PATH");
  EXPECT_EQ(to_string(static_cast<TransportError>(0x11)), "UNKNOWN");
}

TEST(TransportError, CarriesTlsAlertsInItsCryptoBlock) {
  EXPECT_EQ(static_cast<std::uint64_t>(crypto_error(40)), 0x128U);  // handshake_failure
  EXPECT_EQ(to_string(crypto_error(0)), "CRYPTO_ERROR");
  EXPECT_EQ(to_string(crypto_error(255)), "CRYPTO_ERROR");
  EXPECT_EQ(to_string(static_cast<TransportError>(0x200)), "UNKNOWN");
}

// RFC 9000 Table 1.
TEST(StreamIds, TellTheirInitiatorAndKind) {
  EXPECT_EQ(make_stream_id(Side::client, StreamKind::bidi, 0), 0x00U);
  EXPECT_EQ(make_stream_id(Side::server, StreamKind::bidi, 0), 0x01U);
  EXPECT_EQ(make_stream_id(Side::client, StreamKind::uni, 0), 0x02U);
  EXPECT_EQ(make_stream_id(Side::server, StreamKind::uni, 3), 0x0fU);
  EXPECT_EQ(initiator(0x0f), Side::server);
  EXPECT_EQ(kind(0x0f), StreamKind::uni);
  EXPECT_EQ(ordinal(0x0f), 3U);
}

}  // namespace
}  // namespace quell
