// What do two endpoints make of a network that repeats, shuffles, marks and forgets?
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "quell/connection/pair_for_test.h"

namespace quell {
namespace {

using test::Pair;
using test::pattern;

void expect_transfer(Pair& pair, Side from, std::size_t size) {
  const auto stream = pair.endpoint(from).open_stream(pair.handle(from), StreamKind::bidi);
  ASSERT_TRUE(stream);
  ASSERT_TRUE(pair.endpoint(from).write(pair.handle(from), *stream, Slice::adopt(pattern(size)), true));
  ASSERT_TRUE(pair.run_until([&] { return pair.received[{other(from), *stream}].fin; }));
  const bool is_whole = pair.received[{other(from), *stream}].bytes == pattern(size);
  EXPECT_TRUE(is_whole);
}

// Remembers what a connection told.
struct Told {
  std::vector<trace::EcnState> ecn;
};
class Recorder : public trace::Sink {
 public:
  explicit Recorder(Told& told) : told_(told) {}
  void ecn_state_updated(const trace::EcnStateUpdated& event, TimePoint) override {
    told_.ecn.push_back(event.to);
  }

 private:
  Told& told_;
};
class Recorders : public SinkFactory {
 public:
  std::unique_ptr<trace::Sink> make_sink(Side, const ConnectionId&) override {
    return std::make_unique<Recorder>(told);
  }
  Told told;
};
EndpointConfig recorded(const std::shared_ptr<Recorders>& recorders) {
  EndpointConfig config;
  config.sinks = recorders;
  return config;
}

TEST(BadPaths, EveryDatagramTwice) {
  Pair pair;
  pair.fate = [&](Side from, std::vector<std::uint8_t>& datagram) {
    pair.inject(from, datagram);
    return true;
  };
  ASSERT_TRUE(pair.handshake());
  expect_transfer(pair, Side::client, 300000);
  expect_transfer(pair, Side::server, 300000);
}

class Shuffled : public testing::TestWithParam<std::uint64_t> {};

// A fifth of the datagrams come behind up to three of their followers.
TEST_P(Shuffled, DatagramsAreSortedOut) {
  Pair pair;
  Rng rng{GetParam()};
  std::map<Side, std::vector<std::vector<std::uint8_t>>> held;
  pair.fate = [&](Side from, std::vector<std::uint8_t>& datagram) {
    auto& late = held[from];
    if (late.size() < 3 && rng.chance(0.2)) {
      late.push_back(datagram);
      return false;
    }
    pair.inject(from, datagram);
    for (auto& one : late) pair.inject(from, std::exchange(one, {}));
    late.clear();
    return false;
  };
  ASSERT_TRUE(pair.handshake()) << "seed " << GetParam();
  expect_transfer(pair, Side::client, 300000);
  expect_transfer(pair, Side::server, 300000);
}

INSTANTIATE_TEST_SUITE_P(Seeds, Shuffled, testing::Range<std::uint64_t>(1, 5));

TEST(Ecn, IsCapableOnAPathThatKeepsTheMarks) {
  const auto recorders = std::make_shared<Recorders>();
  Pair pair(test::echo_config(), {}, recorded(recorders));
  ASSERT_TRUE(pair.handshake());
  expect_transfer(pair, Side::client, 300000);
  ASSERT_FALSE(recorders->told.ecn.empty());
  EXPECT_EQ(recorders->told.ecn.back(), trace::EcnState::capable);
  EXPECT_EQ(pair.client->stats(pair.client_connection, pair.now)->recovery.congestion_events, 0U);
}

TEST(Ecn, FailsOnAPathThatBleachesThem) {
  const auto recorders = std::make_shared<Recorders>();
  Pair pair(test::echo_config(), {}, recorded(recorders));
  pair.fate = [&](Side from, std::vector<std::uint8_t>& datagram) {
    pair.inject(from, datagram, Ecn::not_ect);
    return false;
  };
  ASSERT_TRUE(pair.handshake());
  expect_transfer(pair, Side::client, 300000);
  ASSERT_FALSE(recorders->told.ecn.empty());
  EXPECT_EQ(recorders->told.ecn.back(), trace::EcnState::failed);
}

TEST(Ecn, OneRoundOfMarksIsOneCongestionEvent) {
  const auto recorders = std::make_shared<Recorders>();
  Pair pair(test::echo_config(), {}, recorded(recorders));
  ASSERT_TRUE(pair.handshake());
  expect_transfer(pair, Side::client, 100000);
  pair.run_for(seconds{1});
  ASSERT_EQ(recorders->told.ecn.back(), trace::EcnState::capable);
  int to_mark = 3;
  pair.fate = [&](Side from, std::vector<std::uint8_t>& datagram) {
    const bool is_marked = from == Side::client && to_mark > 0 && datagram.size() > 1000;
    to_mark -= is_marked ? 1 : 0;
    pair.inject(from, datagram, is_marked ? Ecn::ce : Ecn::ect0);
    return false;
  };
  expect_transfer(pair, Side::client, 100000);
  ASSERT_EQ(to_mark, 0);
  pair.run_for(seconds{1});  // the last acknowledgements
  EXPECT_EQ(recorders->told.ecn.back(), trace::EcnState::capable);
  EXPECT_EQ(pair.client->stats(pair.client_connection, pair.now)->recovery.congestion_events, 1U);
  EXPECT_EQ(pair.client->stats(pair.client_connection, pair.now)->recovery.packets_lost, 0U);
}

class KeyUpdates : public testing::TestWithParam<std::uint64_t> {};

TEST_P(KeyUpdates, GoOnWhileEveryTenthDatagramIsLost) {
  ConnectionConfig client = test::echo_config();
  client.key_update_after_packets = 50;
  EndpointConfig server;
  server.server.key_update_after_packets = 70;
  Pair pair(client, server);
  Rng rng{GetParam()};
  pair.fate = [&](Side, auto&) { return !rng.chance(0.1); };
  ASSERT_TRUE(pair.handshake()) << "seed " << GetParam();
  for (Side from : {Side::client, Side::server, Side::client}) expect_transfer(pair, from, 500000);
  // Each transfer is more than 340 packets. An update waits for three PTOs behind the last, so that not every
  // fiftieth packet brings one; both ends count all of them.
  const auto of_client = pair.client->stats(pair.client_connection, pair.now)->key_updates;
  const auto of_server = pair.server->stats(pair.server_connection, pair.now)->key_updates;
  EXPECT_GE(of_client, 3U);
  EXPECT_LE(std::max(of_client, of_server) - std::min(of_client, of_server), 1U);
}

INSTANTIATE_TEST_SUITE_P(Seeds, KeyUpdates, testing::Range<std::uint64_t>(1, 5));

// RFC 9000 §8.1. The client's second flight, which would prove its address, never arrives; `repeats` lets it
// send its first one again and again.
class Amplification : public testing::TestWithParam<bool> {};

TEST_P(Amplification, IsThreefoldAtMostUntilTheAddressIsProven) {
  Pair pair;
  std::size_t to_server = 0;
  std::size_t from_server = 0;
  pair.fate = [&](Side from, std::vector<std::uint8_t>& datagram) {
    if (from == Side::server) {
      from_server += datagram.size();
      EXPECT_LE(from_server, 3 * to_server);
      return false;
    }
    if (to_server > 0 && !GetParam()) return false;
    to_server += datagram.size();
    return true;
  };
  pair.connect();
  pair.run_for(seconds{20});
  EXPECT_GT(from_server, 0U);
  EXPECT_EQ(pair.server->connection_count(), 0U);
}

INSTANTIATE_TEST_SUITE_P(OnceOrAgain, Amplification, testing::Bool());

}  // namespace
}  // namespace quell
