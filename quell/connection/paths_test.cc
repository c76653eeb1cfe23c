// How does an end answer those who ask whether a path works? (RFC 9000 §8.2.2)
#include "quell/connection/paths.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "quell/connection/raw_peer_for_test.h"

namespace quell {
namespace {

using test::payload_of;
using test::RawPeer;

TEST(PathResponse, FillsADatagramSoThatThePathIsSeenToCarryIt) {
  RawPeer peer;
  ASSERT_TRUE(peer.pair.handshake());
  peer.pair.run_for(milliseconds{200});
  std::size_t largest = 0;
  peer.lets_through = [&](Side from, const auto& datagram) {
    if (from == Side::server) largest = std::max(largest, datagram.size());
    return from == Side::client;
  };
  peer.send(Side::client, {.payload = payload_of({PathChallengeFrame{}})});
  peer.pair.run_for(milliseconds{15});
  EXPECT_GE(largest, kMinInitialDatagram);
}

}  // namespace
}  // namespace quell
