// Does a connection carry what it was given, on clean and on bad paths?
#include <gtest/gtest.h>

#include <algorithm>

#include "quell/connection/pair_for_test.h"

namespace quell {
namespace {

using test::Pair;
using test::pattern;

void expect_transfer(Pair& pair, Side from, std::size_t size, Duration limit = seconds{60}) {
  const Side to = other(from);
  const auto stream = pair.endpoint(from).open_stream(pair.handle(from), StreamKind::bidi);
  ASSERT_TRUE(stream);
  ASSERT_TRUE(pair.endpoint(from).write(pair.handle(from), *stream, Slice::adopt(pattern(size)), true));
  ASSERT_TRUE(pair.run_until([&] { return pair.received[{to, *stream}].fin; }, limit));
  const bool is_whole = pair.received[{to, *stream}].bytes == pattern(size);
  EXPECT_TRUE(is_whole);
}

TEST(Transfer, HandshakeIsConfirmedInTwoRoundTrips) {
  Pair pair;
  ASSERT_TRUE(pair.handshake());
  EXPECT_LE(pair.now.time_since_epoch(), 4 * pair.delay);
  EXPECT_EQ(pair.last<HandshakeComplete>(Side::client)->alpn, "test");
}

class TransferSize : public testing::TestWithParam<std::size_t> {};

TEST_P(TransferSize, ArrivesWholeFromBothSides) {
  Pair pair;
  ASSERT_TRUE(pair.handshake());
  expect_transfer(pair, Side::client, GetParam());
  expect_transfer(pair, Side::server, GetParam());
}

INSTANTIATE_TEST_SUITE_P(Sizes, TransferSize, testing::Values(0, 1, 1000, 1452, 16384, 1000000, 40000000));

class TransferLoss : public testing::TestWithParam<std::uint64_t> {};

TEST_P(TransferLoss, ArrivesWholeThoughEveryTenthDatagramIsLost) {
  Pair pair;
  Rng rng{GetParam()};
  pair.fate = [&](Side, std::vector<std::uint8_t>&) { return !rng.chance(0.1); };
  ASSERT_TRUE(pair.handshake()) << "seed " << GetParam();
  expect_transfer(pair, Side::client, 300000);
  expect_transfer(pair, Side::server, 300000);
}

INSTANTIATE_TEST_SUITE_P(Seeds, TransferLoss, testing::Range<std::uint64_t>(1, 9));

TEST(Transfer, SurvivesDamagedDatagrams) {
  Pair pair;
  Rng rng{7};
  pair.fate = [&](Side, std::vector<std::uint8_t>& datagram) {
    if (rng.chance(0.1))
      datagram[rng.below(datagram.size())] ^= static_cast<std::uint8_t>(1 + rng.below(255));
    return true;
  };
  ASSERT_TRUE(pair.handshake());
  expect_transfer(pair, Side::server, 300000);
}

TEST(Transfer, ManyStreamsAtOnceAllArrive) {
  Pair pair;
  ASSERT_TRUE(pair.handshake());
  std::vector<StreamId> streams;
  for (int i = 0; i < 100; ++i) {
    const auto stream = pair.client->open_stream(pair.client_connection, StreamKind::bidi);
    ASSERT_TRUE(stream);
    ASSERT_TRUE(pair.client->write(pair.client_connection, *stream, Slice::adopt(pattern(10000)), true));
    streams.push_back(*stream);
  }
  EXPECT_TRUE(pair.run_until([&] {
    return std::ranges::all_of(streams, [&](StreamId s) { return pair.received[{Side::server, s}].fin; });
  }));
}

TEST(Transfer, RetryValidatesTheAddressFirst) {
  EndpointConfig server;
  server.require_retry = true;
  Pair pair(test::echo_config(), server);
  ASSERT_TRUE(pair.handshake());
  EXPECT_LE(pair.now.time_since_epoch(), 6 * pair.delay);
  expect_transfer(pair, Side::client, 100000);
}

class TransferCipher : public testing::TestWithParam<AeadKind> {};

TEST_P(TransferCipher, Works) {
  ConnectionConfig config = test::echo_config();
  config.ciphers = {GetParam()};
  Pair pair(config);
  ASSERT_TRUE(pair.handshake());
  expect_transfer(pair, Side::server, 100000);
}

INSTANTIATE_TEST_SUITE_P(Ciphers, TransferCipher,
                         testing::Values(AeadKind::aes_128_gcm, AeadKind::aes_256_gcm,
                                         AeadKind::chacha20_poly1305));

TEST(Transfer, KeysAreUpdatedFromBothSidesWithoutLoss) {
  Pair pair;
  ASSERT_TRUE(pair.handshake());
  for (int round = 0; round < 4; ++round) {
    const Side side = round % 2 == 0 ? Side::client : Side::server;
    // The second one is sent in the phase that the first one's acknowledgements taught (RFC 9001 §6.1).
    expect_transfer(pair, side, 50000);
    pair.run_for(seconds{1});
    expect_transfer(pair, side, 50000);
    pair.run_for(seconds{1});
    ASSERT_TRUE(pair.endpoint(side).update_keys(pair.handle(side), pair.now)) << round;
  }
  expect_transfer(pair, Side::client, 50000);
  pair.run_for(seconds{1});
  EXPECT_EQ(pair.client->stats(pair.client_connection, pair.now)->key_updates, 4U);
  EXPECT_EQ(pair.server->stats(pair.server_connection, pair.now)->key_updates, 4U);
  EXPECT_EQ(pair.client->stats(pair.client_connection, pair.now)->packets_dropped, 0U);
}

TEST(Transfer, ANameThatTheCertificateLacksEndsTheHandshake) {
  Pair pair;
  pair.connect("example.org");
  ASSERT_TRUE(pair.run_until([&] { return pair.saw<ConnectionEnded>(Side::client); }));
  const auto* ended = pair.last<ConnectionEnded>(Side::client);
  EXPECT_EQ(ended->cause, ConnectionEnded::Cause::local_error);
  EXPECT_GE(ended->error_code, 0x100U);
  EXPECT_LT(ended->error_code, 0x200U);
  EXPECT_TRUE(pair.run_until([&] { return pair.saw<ConnectionEnded>(Side::server); }));
}

TEST(Transfer, CloseReachesThePeerWithItsCodeAndReason) {
  Pair pair;
  ASSERT_TRUE(pair.handshake());
  pair.client->close(pair.client_connection, 42, "enough", pair.now);
  ASSERT_TRUE(pair.run_until([&] { return pair.saw<ConnectionEnded>(Side::server); }));
  const auto* ended = pair.last<ConnectionEnded>(Side::server);
  EXPECT_EQ(ended->cause, ConnectionEnded::Cause::peer_close);
  EXPECT_TRUE(ended->is_application_code);
  EXPECT_EQ(ended->error_code, 42U);
  EXPECT_EQ(ended->reason, "enough");
  pair.run_for(seconds{10});
  EXPECT_EQ(pair.client->connection_count(), 0U);
  EXPECT_EQ(pair.server->connection_count(), 0U);
}

TEST(Transfer, SilenceEndsTheConnectionAfterTheIdleTimeout) {
  Pair pair;
  ASSERT_TRUE(pair.handshake());
  const TimePoint start = pair.now;
  ASSERT_TRUE(pair.run_until([&] { return pair.saw<ConnectionEnded>(Side::client); }));
  EXPECT_EQ(pair.last<ConnectionEnded>(Side::client)->cause, ConnectionEnded::Cause::idle_timeout);
  EXPECT_GE(pair.now - start, seconds{29});
}

TEST(Transfer, ASilentServerEndsTheHandshakeAtItsDeadline) {
  Pair pair;
  pair.fate = [](Side, std::vector<std::uint8_t>&) { return false; };
  pair.connect();
  ASSERT_TRUE(pair.run_until([&] { return pair.saw<ConnectionEnded>(Side::client); }));
  EXPECT_EQ(pair.last<ConnectionEnded>(Side::client)->cause, ConnectionEnded::Cause::handshake_timeout);
  EXPECT_EQ(pair.now.time_since_epoch(), seconds{10});
}

}  // namespace
}  // namespace quell
