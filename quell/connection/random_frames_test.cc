// Does a connection survive frames that are all legal in form and make no sense together? It may close; it
// must not break, and it must end.
#include <gtest/gtest.h>

#include "quell/connection/raw_peer_for_test.h"

namespace quell {
namespace {

using test::payload_of;
using test::RawPeer;

const std::array<std::uint8_t, 64> kData{};

class Author {
 public:
  Author(std::uint64_t seed, Side writer) : rng_(seed), writer_(writer) {}

  std::vector<std::uint8_t> payload() {
    std::vector<std::uint8_t> all{0x01, 0x00, 0x00, 0x00};
    for (std::uint64_t left = 1 + rng_.below(8); left > 0; --left) {
      const auto one = payload_of({frame()});
      all.insert(all.end(), one.begin(), one.end());
    }
    return all;
  }

 private:
  std::uint64_t small() { return rng_.below(12); }
  // Mostly near each other, so that they touch, overlap and contradict.
  std::uint64_t offset() {
    return rng_.chance(0.05) ? (std::uint64_t{1} << rng_.below(40)) : rng_.below(200);
  }
  Bytes data() { return Bytes{kData}.first(rng_.below(kData.size() + 1)); }
  StreamKind any_kind() { return rng_.chance(0.5) ? StreamKind::bidi : StreamKind::uni; }
  // Errors are rare, or the story would be over at once.
  Frame frame() {
    switch (rng_.below(rng_.chance(0.1) ? 16 : 11)) {
      case 0:
      case 1:
      case 2:
        return StreamFrame{4 * small() + rng_.below(2) * 2 + by_writer(), offset(), rng_.chance(0.1), data()};
      case 3:
        return ResetStreamFrame{4 * small() + by_writer(), small(), 200 + rng_.below(20)};
      case 4:
        return MaxDataFrame{offset()};
      case 5:
        return MaxStreamsFrame{any_kind(), offset()};
      case 6:
        return PathChallengeFrame{};
      case 7:
        return RetireConnectionIdFrame{1 + rng_.below(3)};
      case 8:
        return DataBlockedFrame{offset()};
      case 9:
        return StopSendingFrame{4 * small() + by_writer(), small()};
      case 10:
        return MaxStreamDataFrame{4 * small() + by_writer(), offset()};
      case 11: {
        const std::array<std::uint8_t, 8> name{static_cast<std::uint8_t>(small())};
        const std::uint64_t sequence = small();
        return NewConnectionIdFrame{sequence, rng_.below(sequence + 1), ConnectionId{name}, {}};
      }
      case 12:
        return CryptoFrame{offset(), data()};
      case 13:
        return StreamFrame{small(), offset(), rng_.chance(0.5), data()};
      case 14:
        return ResetStreamFrame{small(), small(), offset()};
      default:
        return StreamsBlockedFrame{any_kind(), small()};
    }
  }
  std::uint64_t by_writer() const { return writer_ == Side::server ? 1 : 0; }

  Rng rng_;
  Side writer_;
};

// What an application does meanwhile: it reads, as Pair does by itself, and writes, stops and resets.
void act(test::Pair& pair, Side side, Rng& rng) {
  Endpoint& end = pair.endpoint(side);
  const ConnectionHandle connection = pair.handle(side);
  const StreamId stream = rng.below(48);
  switch (rng.below(5)) {
    case 0:
      (void)end.open_stream(connection, rng.chance(0.5) ? StreamKind::bidi : StreamKind::uni);
      break;
    case 1:
      (void)end.write(connection, stream, Slice::copy_of(kData), rng.chance(0.2));
      break;
    case 2:
      end.stop_sending(connection, stream, 1);
      break;
    case 3:
      end.reset_stream(connection, stream, 2);
      break;
    default:
      end.set_priority(connection, stream, static_cast<std::uint8_t>(rng.below(9)), rng.chance(0.5));
      (void)end.write_room(connection, stream);
  }
}

class RandomFrames : public testing::TestWithParam<Side> {};

TEST_P(RandomFrames, NeverBreakTheirReceiver) {
  const Side at = GetParam();
  std::size_t packets_taken = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    RawPeer peer;
    ASSERT_TRUE(peer.pair.handshake());
    peer.pair.run_for(milliseconds{100});
    // The true sender must not hear the acknowledgements of what it never sent.
    peer.lets_through = [](Side, const auto&) { return false; };
    Author author{seed, other(at)};
    Rng rng{seed};
    for (int i = 0; i < 40 && peer.pair.endpoint(at).is_alive(peer.pair.handle(at)); ++i) {
      peer.send(other(at), {.payload = author.payload()});
      act(peer.pair, at, rng);
      peer.pair.run_for(milliseconds{15});
      ++packets_taken;
    }
    if (const auto* ended = peer.pair.last<ConnectionEnded>(at)) {
      EXPECT_EQ(ended->cause, ConnectionEnded::Cause::local_error) << ended->reason;
    }
    peer.pair.run_for(seconds{100});
    EXPECT_EQ(peer.pair.endpoint(at).connection_count(), 0U);
  }
  EXPECT_GT(packets_taken, 300U) << "the stories end too soon to tell much";
}

INSTANTIATE_TEST_SUITE_P(AtBoth, RandomFrames, testing::Values(Side::client, Side::server));

}  // namespace
}  // namespace quell
