// How do connections end, and is nothing heard of them afterwards? (RFC 9000 §10)
#include <gtest/gtest.h>

#include <algorithm>

#include "quell/connection/raw_peer_for_test.h"

namespace quell {
namespace {

using test::Pair;
using test::payload_of;
using test::RawPeer;

// A datagram that is routed to the owner of the ID and holds nothing else of use.
std::vector<std::uint8_t> noise_for(const ConnectionId& id) {
  std::vector<std::uint8_t> bytes(60, 0x40);
  std::ranges::copy(id.bytes(), bytes.begin() + 1);
  return bytes;
}

TEST(ConnectionEnd, TheShorterIdleTimeoutCounts) {
  EndpointConfig server;
  server.server.idle_timeout = seconds{5};
  Pair pair(test::echo_config(), server);
  ASSERT_TRUE(pair.handshake());
  const TimePoint start = pair.now;
  for (Side side : {Side::client, Side::server}) {
    ASSERT_TRUE(pair.run_until([&] { return pair.saw<ConnectionEnded>(side); }, seconds{20}));
    EXPECT_EQ(pair.last<ConnectionEnded>(side)->cause, ConnectionEnded::Cause::idle_timeout);
  }
  EXPECT_GE(pair.now - start, seconds{5});
  EXPECT_LE(pair.now - start, seconds{6});  // the last acknowledgements are heard within a second
}

TEST(ConnectionEnd, AnIdleTimeoutIsSilent) {
  Pair pair;
  ASSERT_TRUE(pair.handshake());
  pair.run_for(seconds{2});
  const std::size_t before = pair.datagrams;
  ASSERT_TRUE(pair.run_until([&] { return pair.saw<ConnectionEnded>(Side::server); }));
  EXPECT_EQ(pair.datagrams, before);
  EXPECT_EQ(pair.server->connection_count(), 0U);
}

TEST(ConnectionEnd, AClosingEndAnswersLessAndLess) {
  RawPeer peer;
  ASSERT_TRUE(peer.pair.handshake());
  peer.pair.run_for(seconds{1});
  int answers = 0;
  peer.lets_through = [&](Side from, const auto&) {
    answers += from == Side::client ? 1 : 0;
    return false;
  };
  peer.pair.client->close(peer.pair.client_connection, 1, "", peer.pair.now);
  peer.pair.run_for(milliseconds{1});
  EXPECT_EQ(answers, 1);
  // One by one, within the three PTOs of at least a round trip each.
  for (int i = 0; i < 32; ++i) {
    peer.pair.inject(Side::server, noise_for(peer.source_of(Side::client)));
    peer.pair.run_for(milliseconds{1});
  }
  peer.pair.run_for(2 * peer.pair.delay);
  EXPECT_GE(answers, 2);
  EXPECT_LE(answers, 1 + 6);  // the 1st, 2nd, 4th, ... 32nd
}

TEST(ConnectionEnd, ADrainingEndIsSilent) {
  RawPeer peer;
  ASSERT_TRUE(peer.pair.handshake());
  peer.pair.run_for(seconds{1});
  peer.pair.client->close(peer.pair.client_connection, 1, "", peer.pair.now);
  ASSERT_TRUE(peer.pair.run_until([&] { return peer.pair.saw<ConnectionEnded>(Side::server); }));
  int from_server = 0;
  peer.lets_through = [&](Side from, const auto&) {
    from_server += from == Side::server ? 1 : 0;
    return true;
  };
  for (int i = 0; i < 10; ++i) {
    peer.send(Side::client, {.payload = payload_of({PingFrame{}, PaddingFrame{3}})});
    peer.pair.run_for(milliseconds{1});
  }
  peer.pair.run_for(2 * peer.pair.delay);
  EXPECT_EQ(from_server, 0);
  EXPECT_EQ(peer.pair.server->connection_count(), 1U) << "gone too early: the silence proves nothing";
  peer.pair.run_for(seconds{5});
  EXPECT_EQ(peer.pair.server->connection_count(), 0U);
}

TEST(ConnectionEnd, NothingIsHeardAfterTheEnd) {
  Pair pair;
  ASSERT_TRUE(pair.handshake());
  for (Side side : {Side::client, Side::server}) {
    const auto stream = pair.endpoint(side).open_stream(pair.handle(side), StreamKind::bidi);
    ASSERT_TRUE(stream);
    ASSERT_TRUE(
        pair.endpoint(side).write(pair.handle(side), *stream, Slice::adopt(test::pattern(5000000)), true));
  }
  pair.run_for(milliseconds{100});
  pair.server->close(pair.server_connection, 3, "", pair.now);
  pair.run_for(seconds{30});
  for (const auto* events : {&pair.client_events, &pair.server_events}) {
    ASSERT_FALSE(events->empty());
    EXPECT_TRUE(std::holds_alternative<ConnectionEnded>(events->back().what));
    EXPECT_EQ(std::ranges::count_if(
                  *events, [](const Event& e) { return std::holds_alternative<ConnectionEnded>(e.what); }),
              1);
  }
  EXPECT_EQ(pair.client->next_timeout(), std::nullopt);
  EXPECT_EQ(pair.server->next_timeout(), std::nullopt);
}

TEST(ConnectionEnd, AnUnreachablePeerEndsTheHandshakeAtOnce) {
  Pair pair;
  pair.fate = [](Side, auto&) { return false; };
  pair.connect();
  pair.run_for(milliseconds{1});
  pair.client->peer_unreachable(*Address::parse("10.0.0.9:443"), pair.now);  // somebody else
  pair.run_for(milliseconds{1});
  EXPECT_FALSE(pair.saw<ConnectionEnded>(Side::client));
  pair.client->peer_unreachable(Pair::kServer, pair.now);
  ASSERT_TRUE(pair.run_until([&] { return pair.saw<ConnectionEnded>(Side::client); }, Duration{0}));
  EXPECT_EQ(pair.last<ConnectionEnded>(Side::client)->cause, ConnectionEnded::Cause::unreachable);
  EXPECT_EQ(pair.client->connection_count(), 0U);
}

TEST(ConnectionEnd, AForgedUnreachableEndsNoEstablishedConnection) {
  Pair pair;
  ASSERT_TRUE(pair.handshake());
  pair.client->peer_unreachable(Pair::kServer, pair.now);
  pair.run_for(seconds{1});
  EXPECT_TRUE(pair.client->is_alive(pair.client_connection));
}

TEST(ConnectionEnd, AStaleHandleDoesNothingToTheNextConnectionOfItsSlot) {
  Pair pair;
  ASSERT_TRUE(pair.handshake());
  const ConnectionHandle stale = pair.client_connection;
  pair.client->close(stale, 1, "", pair.now);
  pair.run_for(seconds{10});
  pair.connect();
  ASSERT_EQ(pair.client_connection.slot, stale.slot) << "the slot is not reused: the test shows nothing";
  ASSERT_TRUE(pair.run_until(
      [&] { return pair.client->open_stream(pair.client_connection, StreamKind::bidi).has_value(); }));
  EXPECT_FALSE(pair.client->is_alive(stale));
  EXPECT_FALSE(pair.client->stats(stale, pair.now));
  EXPECT_EQ(pair.client->open_stream(stale, StreamKind::bidi).error(), StreamError::no_connection);
  EXPECT_EQ(pair.client->write(stale, 0, {}, true).error(), StreamError::no_connection);
  EXPECT_EQ(pair.client->read(stale, 0).error(), StreamError::no_connection);
  EXPECT_EQ(pair.client->write_room(stale, 0), 0U);
  pair.client->reset_stream(stale, 0, 1);
  pair.client->stop_sending(stale, 0, 1);
  pair.client->set_priority(stale, 0, 0, false);
  pair.client->consume(stale, 0, 1);
  EXPECT_FALSE(pair.client->update_keys(stale, pair.now));
  pair.client->close(stale, 1, "", pair.now);
  pair.run_for(seconds{1});
  EXPECT_TRUE(pair.client->is_alive(pair.client_connection));
}

// The server has lost everything but the seed of its keys, as after a restart.
TEST(StatelessReset, EndsAClientWhoseServerHasForgottenIt) {
  Pair pair;
  ASSERT_TRUE(pair.handshake());
  pair.run_for(seconds{1});
  EndpointConfig again;
  again.server = test::echo_config();
  again.server_credentials = test::server_credentials();
  again.seed = 2;  // as the Pair's
  pair.server = std::make_unique<Endpoint>(again);
  const auto stream = pair.client->open_stream(pair.client_connection, StreamKind::bidi);
  ASSERT_TRUE(pair.client->write(pair.client_connection, *stream, Slice::adopt(test::pattern(100)), true));
  ASSERT_TRUE(pair.run_until([&] { return pair.saw<ConnectionEnded>(Side::client); }, 3 * pair.delay));
  EXPECT_EQ(pair.last<ConnectionEnded>(Side::client)->cause, ConnectionEnded::Cause::stateless_reset);
  EXPECT_EQ(pair.client->connection_count(), 0U);
}

TEST(StatelessReset, OfAnotherServerIsIgnored) {
  Pair pair;
  ASSERT_TRUE(pair.handshake());
  EndpointConfig stranger;
  stranger.server_credentials = test::server_credentials();
  stranger.seed = 77;
  pair.server = std::make_unique<Endpoint>(stranger);
  const auto stream = pair.client->open_stream(pair.client_connection, StreamKind::bidi);
  ASSERT_TRUE(pair.client->write(pair.client_connection, *stream, Slice::adopt(test::pattern(100)), true));
  pair.run_for(seconds{1});
  EXPECT_TRUE(pair.client->is_alive(pair.client_connection));
}

TEST(StatelessReset, TwoServersDoNotResetEachOtherForEver) {
  EndpointConfig config;
  config.server_credentials = test::server_credentials();
  config.seed = 5;
  Endpoint one{config};
  Endpoint two{config};
  std::vector<std::uint8_t> datagram(1400, 0x40);
  std::size_t rounds = 0;
  for (bool is_answered = true; is_answered; ++rounds) {
    ASSERT_LT(rounds, 1400U);
    Endpoint& end = rounds % 2 == 0 ? one : two;
    end.handle_datagram({.bytes = datagram, .local = Pair::kServer, .remote = Pair::kClient}, TimePoint{});
    std::vector<std::uint8_t> buffer(1500);
    const auto sent = end.poll_transmit(buffer, 1, TimePoint{});
    is_answered = sent.has_value();
    if (!is_answered) break;
    EXPECT_LT(sent->size, datagram.size());
    buffer.resize(sent->size);
    datagram = buffer;
  }
  EXPECT_GT(rounds, 0U);
}

}  // namespace
}  // namespace quell
