// Do two endpoints agree about streams that are slowed, hurried, stopped and reset?
#include <gtest/gtest.h>

#include "quell/connection/pair_for_test.h"

namespace quell {
namespace {

using test::Pair;
using test::pattern;

StreamId open(Pair& pair, StreamKind kind = StreamKind::bidi) {
  const auto stream = pair.client->open_stream(pair.client_connection, kind);
  EXPECT_TRUE(stream);
  return stream.value_or(0);
}
void write(Pair& pair, StreamId stream, std::size_t size, bool fin) {
  EXPECT_TRUE(pair.client->write(pair.client_connection, stream, Slice::adopt(pattern(size)), fin));
}

TEST(StreamStory, RoomRunsOutAndIsOfferedAgain) {
  Pair pair;
  ASSERT_TRUE(pair.handshake());
  const StreamId stream = open(pair);
  std::size_t written = 0;
  for (std::size_t room; (room = pair.client->write_room(pair.client_connection, stream)) > 0;) {
    write(pair, stream, room, false);
    written += room;
    ASSERT_LT(written, std::size_t{64} << 20) << "room without end";
  }
  EXPECT_FALSE(pair.saw<StreamWritable>(Side::client));
  ASSERT_TRUE(pair.run_until([&] { return pair.saw<StreamWritable>(Side::client); }));
  EXPECT_EQ(pair.last<StreamWritable>(Side::client)->stream, stream);
  EXPECT_GT(pair.client->write_room(pair.client_connection, stream), 0U);
}

TEST(StreamStory, TheUrgentStreamIsWholeBeforeTheOther) {
  Pair pair;
  ASSERT_TRUE(pair.handshake());
  const StreamId usual = open(pair);
  const StreamId urgent = open(pair);
  pair.client->set_priority(pair.client_connection, urgent, 0, false);
  write(pair, usual, 100000, true);
  write(pair, urgent, 100000, true);
  ASSERT_TRUE(pair.run_until([&] { return pair.received[{Side::server, urgent}].fin; }));
  // At most what the last window held beside the urgent stream's end.
  const auto window = pair.client->stats(pair.client_connection, pair.now)->cwnd;
  EXPECT_LT(pair.received[std::make_pair(Side::server, usual)].bytes.size(),
            std::min<ByteCount>(window, 100000));
  EXPECT_TRUE(pair.run_until([&] { return pair.received[{Side::server, usual}].fin; }));
}

TEST(StreamStory, StopSendingIsAnsweredByAReset) {
  Pair pair;
  pair.auto_read = false;
  ASSERT_TRUE(pair.handshake());
  const StreamId stream = open(pair);
  write(pair, stream, 10000, false);
  ASSERT_TRUE(pair.run_until([&] { return pair.saw<StreamReadable>(Side::server); }));
  pair.server->stop_sending(pair.server_connection, stream, 33);
  ASSERT_TRUE(pair.run_until([&] { return pair.saw<StreamStopped>(Side::client); }));
  EXPECT_EQ(pair.last<StreamStopped>(Side::client)->error_code, 33U);
  ASSERT_TRUE(pair.run_until([&] { return pair.saw<StreamReset>(Side::server); }));
  EXPECT_EQ(pair.last<StreamReset>(Side::server)->error_code, 33U);
  EXPECT_EQ(pair.client->write(pair.client_connection, stream, {}, true).error(), StreamError::reset);
}

TEST(StreamStory, AResetInTheMiddleIsHeardAndNeverLooksLikeTheEnd) {
  Pair pair;
  ASSERT_TRUE(pair.handshake());
  const StreamId stream = open(pair);
  write(pair, stream, 1000000, true);
  ASSERT_TRUE(pair.run_until([&] { return !pair.received[{Side::server, stream}].bytes.empty(); }));
  pair.client->reset_stream(pair.client_connection, stream, 5);
  ASSERT_TRUE(pair.run_until([&] { return pair.saw<StreamReset>(Side::server); }));
  EXPECT_EQ(pair.last<StreamReset>(Side::server)->error_code, 5U);
  pair.run_for(seconds{1});
  EXPECT_FALSE(pair.received[std::make_pair(Side::server, stream)].fin);
}

class ManyEnds : public testing::TestWithParam<bool> {};

// Every stream uses a fifth of the connection's window and is never read: a window that is not given back is
// gone after five.
TEST_P(ManyEnds, NeverExhaustTheConnectionsWindow) {
  const bool is_stopped_by_reader = GetParam();
  EndpointConfig server;
  server.server.max_data = 100000;
  server.server.max_stream_data = 20000;
  Pair pair(test::echo_config(), server);
  pair.auto_read = false;
  Rng rng{11};
  pair.fate = [&](Side, std::vector<std::uint8_t>&) { return !rng.chance(0.05); };
  ASSERT_TRUE(pair.handshake());
  for (int round = 0; round < 40; ++round) {
    const StreamId stream = open(pair, StreamKind::uni);
    write(pair, stream, 20000, false);
    const auto is_open = [&] {
      const auto* opened = pair.last<StreamOpened>(Side::server);
      return opened != nullptr && opened->stream == stream;
    };
    ASSERT_TRUE(pair.run_until(is_open)) << round;
    pair.run_for(milliseconds{round % 3 * 20});
    if (is_stopped_by_reader) {
      pair.server->stop_sending(pair.server_connection, stream, 1);
    } else {
      pair.client->reset_stream(pair.client_connection, stream, 1);
    }
    const auto is_over = [&] {
      const auto got = pair.server->read(pair.server_connection, stream);
      return !got && got.error() == StreamError::no_stream;
    };
    ASSERT_TRUE(pair.run_until(is_over)) << round;
    pair.run_for(seconds{1});
  }
  pair.auto_read = true;
  const StreamId last = open(pair, StreamKind::uni);
  write(pair, last, 200000, true);
  EXPECT_TRUE(pair.run_until([&] { return pair.received[{Side::server, last}].fin; }));
}

INSTANTIATE_TEST_SUITE_P(ByReaderOrWriter, ManyEnds, testing::Bool());

}  // namespace
}  // namespace quell
