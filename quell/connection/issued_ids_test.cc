// Which connection IDs does an endpoint issue, and when does it issue another? (RFC 9000 §5.1.1, §5.1.2)
#include <gtest/gtest.h>

#include <memory>
#include <set>

#include "quell/connection/raw_peer_for_test.h"
#include "quell/wire/frame_reader.h"

namespace quell {
namespace {

using test::payload_of;
using test::RawPeer;
using Sequences = std::multiset<std::uint64_t>;

// Which numbers went out in NEW_CONNECTION_ID frames.
class IdWatch : public SinkFactory {
 public:
  std::unique_ptr<trace::Sink> make_sink(Side, const ConnectionId&) override {
    return std::make_unique<Watch>(sent);
  }
  Sequences sent;

 private:
  class Watch : public trace::Sink {
   public:
    explicit Watch(Sequences& sent) : sent_(sent) {}
    void packet_sent(const trace::Packet& packet, TimePoint /*now*/) override {
      Reader reader{packet.payload};
      while (!reader.empty()) {
        const auto frame = read_frame(reader, packet.type);
        ASSERT_TRUE(frame);
        if (const auto* id = std::get_if<NewConnectionIdFrame>(&*frame)) sent_.insert(id->sequence);
      }
    }

   private:
    Sequences& sent_;
  };
};

class IssuedIds : public testing::Test {
 protected:
  static EndpointConfig watched(const std::shared_ptr<IdWatch>& watch) {
    EndpointConfig config;
    config.sinks = watch;
    return config;
  }
  // The client must not hear the server acknowledge packets that it never sent.
  void retire(std::uint64_t sequence) {
    peer.lets_through = [](Side from, const auto&) { return from == Side::client; };
    peer.send(Side::client, {.payload = payload_of({RetireConnectionIdFrame{sequence}, PaddingFrame{2}})});
    peer.pair.run_for(milliseconds{20});
  }

  std::shared_ptr<IdWatch> watch = std::make_shared<IdWatch>();
  RawPeer peer{watched(watch)};
};

TEST_F(IssuedIds, FillThePeersLimitOfFour) {
  ASSERT_TRUE(peer.pair.handshake());
  peer.pair.run_for(seconds{1});
  EXPECT_EQ(watch->sent, (Sequences{1, 2, 3}));  // 0 is the handshake's
}

TEST_F(IssuedIds, AreReplacedWhenRetired) {
  ASSERT_TRUE(peer.pair.handshake());
  peer.pair.run_for(seconds{1});
  retire(2);
  EXPECT_EQ(watch->sent.count(4), 1U);
  EXPECT_EQ(watch->sent.count(5), 0U);
  EXPECT_TRUE(peer.pair.server->is_alive(peer.pair.server_connection));
}

TEST_F(IssuedIds, RetiredTwiceAreReplacedOnce) {
  ASSERT_TRUE(peer.pair.handshake());
  peer.pair.run_for(seconds{1});
  retire(2);
  retire(2);
  EXPECT_EQ(watch->sent.count(5), 0U);
  EXPECT_TRUE(peer.pair.server->is_alive(peer.pair.server_connection));
}

TEST_F(IssuedIds, AreSentAgainWhenLost) {
  int one_rtt_from_server = 0;
  // The server's first 1-RTT datagrams carry the new IDs.
  peer.lets_through = [&](Side from, const std::vector<std::uint8_t>& datagram) {
    const bool is_short = (datagram[0] & 0x80) == 0;
    return from == Side::client || !is_short || ++one_rtt_from_server > 2;
  };
  ASSERT_TRUE(peer.pair.handshake());
  peer.pair.run_for(seconds{5});
  for (std::uint64_t sequence : {1U, 2U, 3U}) EXPECT_GE(watch->sent.count(sequence), 2U) << sequence;
}

}  // namespace
}  // namespace quell
