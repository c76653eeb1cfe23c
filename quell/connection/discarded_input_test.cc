// Which packets must change nothing at all, though they are authentic? (RFC 9000 §6.2, §7.2, §14.1, §17.2.2)
#include <gtest/gtest.h>

#include "quell/connection/raw_peer_for_test.h"
#include "quell/wire/version_packets.h"

namespace quell {
namespace {

using test::payload_of;
using test::RawPeer;

// A frame that would end the connection if anybody read it.
RawPeer::Packet poison(PacketType type) {
  return {.type = type, .payload = payload_of({HandshakeDoneFrame{}, PaddingFrame{4}})};
}

void expect_ignored(RawPeer& peer, Side at, const RawPeer::Packet& packet) {
  peer.send(other(at), packet);
  peer.pair.run_for(milliseconds{20});
  EXPECT_FALSE(peer.pair.saw<ConnectionEnded>(at));
}

// Neither side has heard anything behind the client's first datagram.
void stop_behind_first_flight(RawPeer& peer, Side at) {
  peer.lets_through = [at](Side from, const auto&) { return from == Side::client && at == Side::server; };
  peer.pair.connect();
  peer.pair.run_for(milliseconds{15});
  peer.lets_through = [](Side, const auto&) { return false; };
}
// The server's flight has arrived; the client's answer has not.
void stop_behind_server_flight(RawPeer& peer) {
  peer.lets_through = [count = 0](Side from, const auto&) mutable {
    return from == Side::server || ++count == 1;
  };
  peer.pair.connect();
  peer.pair.run_for(milliseconds{50});
  ASSERT_TRUE(peer.pair.saw<HandshakeComplete>(Side::client));
}

// What the tests below rely on.
TEST(DiscardedInput, ThePoisonWorks) {
  RawPeer peer;
  stop_behind_first_flight(peer, Side::server);
  peer.send(Side::client, poison(PacketType::initial));
  peer.pair.run_for(milliseconds{20});
  EXPECT_TRUE(peer.pair.saw<ConnectionEnded>(Side::server));
}

TEST(DiscardedInput, ALaterInitialInASmallDatagram) {
  RawPeer peer;
  stop_behind_first_flight(peer, Side::server);
  auto packet = poison(PacketType::initial);
  packet.datagram_size = 1199;
  expect_ignored(peer, Side::server, packet);
}

TEST(DiscardedInput, AnInitialOfAServerWithAToken) {
  RawPeer peer;
  stop_behind_first_flight(peer, Side::client);
  auto packet = poison(PacketType::initial);
  packet.token = {1, 2, 3};
  expect_ignored(peer, Side::client, packet);
}

TEST(DiscardedInput, AnInitialWithAnotherSourceId) {
  RawPeer peer;
  stop_behind_first_flight(peer, Side::server);
  auto packet = poison(PacketType::initial);
  packet.source = peer.original_destination();
  expect_ignored(peer, Side::server, packet);
}

TEST(DiscardedInput, AHandshakePacketWithAnotherSourceId) {
  RawPeer peer;
  stop_behind_server_flight(peer);
  auto packet = poison(PacketType::handshake);
  packet.source = peer.original_destination();
  expect_ignored(peer, Side::server, packet);
}

// A server that has no Handshake keys any more cannot tell who sends it Handshake packets.
TEST(DiscardedInput, AHandshakePacketOnceHandshakeDoneIsAcknowledged) {
  RawPeer peer;
  ASSERT_TRUE(peer.pair.handshake());
  peer.pair.run_for(milliseconds{200});
  const std::size_t before = peer.pair.datagrams;
  for (int i = 0; i < 3; ++i) {
    peer.send(Side::client, {.type = PacketType::handshake, .payload = payload_of({PaddingFrame{40}})});
    peer.pair.run_for(milliseconds{30});
  }
  EXPECT_EQ(peer.pair.datagrams, before);
}

std::vector<std::uint8_t> version_negotiation(const RawPeer& peer,
                                              std::initializer_list<std::uint32_t> offered) {
  const std::vector<std::uint32_t> versions{offered};
  std::vector<std::uint8_t> bytes(200);
  Writer out{bytes};
  write_version_negotiation(out, peer.source_of(Side::client).bytes(), peer.original_destination().bytes(),
                            versions, 0);
  bytes.resize(out.position());
  return bytes;
}

TEST(VersionNegotiation, WithoutOurVersionEndsTheAttempt) {
  RawPeer peer;
  stop_behind_first_flight(peer, Side::client);
  peer.pair.inject(Side::server, version_negotiation(peer, {0x1a2a3a4a, 0x00000002}));
  ASSERT_TRUE(
      peer.pair.run_until([&] { return peer.pair.saw<ConnectionEnded>(Side::client); }, milliseconds{20}));
  EXPECT_EQ(peer.pair.last<ConnectionEnded>(Side::client)->cause, ConnectionEnded::Cause::version_mismatch);
}

TEST(VersionNegotiation, ThatNamesOurVersionIsALie) {
  RawPeer peer;
  stop_behind_first_flight(peer, Side::client);
  peer.pair.inject(Side::server, version_negotiation(peer, {0x1a2a3a4a, kVersion1}));
  peer.pair.run_for(milliseconds{20});
  EXPECT_FALSE(peer.pair.saw<ConnectionEnded>(Side::client));
}

TEST(VersionNegotiation, BehindAnAuthenticPacketIsIgnored) {
  RawPeer peer;
  stop_behind_server_flight(peer);
  peer.pair.inject(Side::server, version_negotiation(peer, {0x1a2a3a4a}));
  peer.pair.run_for(milliseconds{20});
  EXPECT_FALSE(peer.pair.saw<ConnectionEnded>(Side::client));
}

}  // namespace
}  // namespace quell
