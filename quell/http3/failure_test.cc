// What happens when a message does not end well, or an end must stop?
#include <gtest/gtest.h>

#include "quell/http3/world_for_test.h"

namespace quell::http3 {
namespace {

using test::World;

class BrokenBody final : public BodySource {
 public:
  explicit BrokenBody(State end) : end_(end) {}
  Piece next(std::size_t) override {
    if (std::exchange(given_, true)) return {{}, end_};
    return {Slice::adopt(std::vector<std::uint8_t>(1000, 'b')), State::more};
  }
  std::optional<ByteCount> size() const override { return 5000; }

 private:
  State end_;
  bool given_ = false;
};

class BrokenBodyTest : public testing::TestWithParam<BodySource::State> {};

// A source that fails resets the stream; one that ends early breaks its content-length. Neither may pass for
// a whole response.
TEST_P(BrokenBodyTest, ATruncatedResponseIsAFailure) {
  World world;
  world.server.answer = [](const RequestReceived&) {
    return Response{.status = 200, .fields = {}, .body = std::make_unique<BrokenBody>(GetParam())};
  };
  const RequestId id = world.get("/");
  ASSERT_TRUE(world.run_until([&] { return world.client.seen[id].failed.has_value(); }));
  EXPECT_FALSE(world.client.seen[id].ended);
  EXPECT_EQ(world.client.seen[id].failed->code,
            GetParam() == BodySource::State::failed ? ErrorCode::internal_error : ErrorCode::message_error);
  // The connection lives on (RFC 9114 §8: a stream error).
  world.server.answer = [](const RequestReceived&) {
    return Response{.status = 200, .fields = {}, .body = nullptr};
  };
  RequestId next = 0;
  world.client.act = [&](Client& client) { next = client.request(World::request("/")); };
  EXPECT_TRUE(world.run_until([&] { return world.client.seen[next].ended; }, seconds{5}));
}
INSTANTIATE_TEST_SUITE_P(Failure, BrokenBodyTest,
                         testing::Values(BodySource::State::failed, BodySource::State::end));

TEST(Failure, AClientThatCancelsTellsTheServer) {
  World world;
  world.server.answer = [](const RequestReceived&) {
    return Response{.status = 200, .fields = {}, .body = std::make_unique<GeneratedBody>(1'000'000'000)};
  };
  const RequestId id = world.get("/");
  ASSERT_TRUE(world.run_until([&] { return world.client.seen[id].content.size() > 100'000; }));
  world.client.act = [&](Client& client) { client.cancel(id); };
  ASSERT_TRUE(
      world.run_until([&] { return world.server.seen.begin()->second.cancelled.has_value(); }, seconds{1}));
  EXPECT_EQ(world.server.seen.begin()->second.cancelled->code, ErrorCode::request_cancelled);
  world.run_for(seconds{1});
  const std::size_t seen = world.client.seen[id].content.size();
  world.run_for(seconds{1});
  EXPECT_EQ(world.client.seen[id].content.size(), seen);
  EXPECT_FALSE(world.client.seen[id].failed);
  EXPECT_EQ(world.server.server.unfinished_requests(), 0U);
}

TEST(Failure, AServerThatRejectsLetsTheClientTryElsewhere) {
  World world;
  world.server.answer = nullptr;
  const RequestId id = world.get("/");
  ASSERT_TRUE(world.run_until([&] { return !world.server.seen.empty(); }));
  const RequestKey key{world.server.connection, world.server.seen.begin()->first};
  world.server.act = [key](Server& server) { server.cancel(key, ErrorCode::request_rejected); };
  ASSERT_TRUE(world.run_until([&] { return world.client.seen[id].failed.has_value(); }, seconds{1}));
  EXPECT_TRUE(world.client.seen[id].failed->is_retryable);
}

TEST(Failure, AConnectionThatEndsFailsAllItsRequests) {
  World world;
  world.server.answer = [](const RequestReceived&) {
    return Response{.status = 200, .fields = {}, .body = std::make_unique<GeneratedBody>(1'000'000'000)};
  };
  const RequestId first = world.get("/");
  const RequestId second = world.get("/");
  ASSERT_TRUE(world.run_until([&] { return world.client.seen[first].content.size() > 100'000; }));
  world.server_endpoint->close(world.server.connection, 0x0102, "enough", world.now);
  ASSERT_TRUE(world.run_until(
      [&] { return world.client.seen[first].failed && world.client.seen[second].failed; }, seconds{1}));
  EXPECT_EQ(world.client.seen[first].failed->code, ErrorCode::internal_error);
  EXPECT_EQ(world.client.seen[first].failed->reason, "enough");
  RequestId late = 0;
  world.client.act = [&](Client& client) { late = client.request(World::request("/")); };
  EXPECT_TRUE(world.run_until([&] { return world.client.seen[late].failed.has_value(); }, seconds{1}));
}

TEST(Failure, AHeaderSectionOfAnotherSizeThanWeTakeIsRefused) {
  World world;
  world.server.answer = [](const RequestReceived&) {
    return Response{.status = 200, .fields = {}, .body = nullptr};
  };
  Request request = World::request("/");
  for (int i = 0; i != 20; ++i)
    request.fields.push_back({"x-big-" + std::to_string(i), std::string(4000, 'v')});
  const RequestId id = world.client.client->request(std::move(request));
  ASSERT_TRUE(world.run_until([&] { return world.client.seen[id].failed.has_value(); }));
  EXPECT_EQ(world.client.seen[id].failed->code, ErrorCode::excessive_load);
  EXPECT_TRUE(world.server.seen.empty());
}

TEST(Shutdown, FinishesWhatIsRunningAndTakesNothingNew) {
  World world;
  world.server.answer = [](const RequestReceived&) {
    return Response{.status = 200, .fields = {}, .body = std::make_unique<GeneratedBody>(5'000'000)};
  };
  const RequestId running = world.get("/");
  ASSERT_TRUE(world.run_until([&] { return world.client.seen[running].content.size() > 100'000; }));
  world.server.act = [](Server& server) { server.shut_down(); };
  world.run_for(milliseconds{20});
  RequestId late = 0;
  world.client.act = [&](Client& client) { late = client.request(World::request("/late")); };
  ASSERT_TRUE(world.run_until([&] { return world.client.seen[late].failed.has_value(); }));
  EXPECT_TRUE(world.client.seen[late].failed->is_retryable);
  ASSERT_TRUE(world.run_until([&] { return world.client.client->ended().has_value(); }));
  EXPECT_TRUE(world.client.seen[running].ended);
  EXPECT_EQ(world.client.seen[running].content.size(), 5'000'000U);
  EXPECT_TRUE(world.client.client->ended()->is_application_code);
  EXPECT_EQ(world.client.client->ended()->error_code, static_cast<std::uint64_t>(ErrorCode::no_error));
  EXPECT_TRUE(world.run_until([&] { return world.server.server.connection_count() == 0; }));
}

TEST(Shutdown, ClosesIdleConnectionsAfterTwoRoundTrips) {
  World world;
  world.server.answer = [](const RequestReceived&) {
    return Response{.status = 200, .fields = {}, .body = nullptr};
  };
  const RequestId id = world.get("/");
  ASSERT_TRUE(world.run_until([&] { return world.client.seen[id].ended; }));
  world.run_for(seconds{1});
  world.server.act = [](Server& server) { server.shut_down(); };
  const TimePoint start = world.now;
  ASSERT_TRUE(world.run_until([&] { return world.client.client->ended().has_value(); }));
  // Two round trips between the GOAWAYs, a half to say goodbye, and slack for delayed ACKs in the RTT's
  // estimate.
  EXPECT_LE(world.now - start, 4 * 2 * world.delay + milliseconds{25});
}

// --- a client that breaks the rules: raw bytes on streams

class RawClient final : public Application {
 public:
  explicit RawClient(std::function<void(Endpoint&, ConnectionHandle, TimePoint)> attack)
      : attack_(std::move(attack)) {}
  void on_wake(Endpoint& endpoint, TimePoint now) override {
    while (const auto event = endpoint.poll_event()) {
      if (std::holds_alternative<HandshakeComplete>(event->what)) attack_(endpoint, event->connection, now);
      if (const auto* e = std::get_if<ConnectionEnded>(&event->what)) ended = *e;
      if (const auto* e = std::get_if<StreamReset>(&event->what)) reset = *e;
    }
  }
  std::optional<ConnectionEnded> ended;
  std::optional<StreamReset> reset;

 private:
  std::function<void(Endpoint&, ConnectionHandle, TimePoint)> attack_;
};

Slice raw(std::vector<std::uint8_t> bytes) {
  return Slice::adopt(std::move(bytes));
}
// Stream type 0, then SETTINGS without settings (RFC 9114 §6.2.1, §7.2.4).
const std::vector<std::uint8_t> kControlStream{0x00, 0x04, 0x00};

struct Attack {
  const char* name;
  std::vector<std::uint8_t> control = {};  // the control stream; empty: none
  bool control_fin = false;
  std::vector<std::uint8_t> request = {};  // a request stream; empty: none
  bool request_fin = true;
  ErrorCode expected = ErrorCode::no_error;
};

class AttackTest : public testing::TestWithParam<Attack> {};

TEST_P(AttackTest, ClosesTheConnectionWithTheCodeOfTheRfc) {
  World world;
  RawClient client{[](Endpoint& endpoint, ConnectionHandle connection, TimePoint) {
    const Attack& attack = GetParam();
    if (!attack.control.empty()) {
      const auto control = endpoint.open_stream(connection, StreamKind::uni);
      ASSERT_TRUE(control && endpoint.write(connection, *control, raw(attack.control), attack.control_fin));
    }
    if (!attack.request.empty()) {
      const auto request = endpoint.open_stream(connection, StreamKind::bidi);
      ASSERT_TRUE(request && endpoint.write(connection, *request, raw(attack.request), attack.request_fin));
    }
  }};
  world.other_client = &client;
  ASSERT_TRUE(world.run_until([&] { return client.ended.has_value(); }, seconds{5}));
  EXPECT_EQ(client.ended->cause, ConnectionEnded::Cause::peer_close);
  EXPECT_TRUE(client.ended->is_application_code);
  EXPECT_EQ(to_string(static_cast<ErrorCode>(client.ended->error_code)), to_string(GetParam().expected));
}

INSTANTIATE_TEST_SUITE_P(Rfc9114, AttackTest,
                         testing::Values(Attack{.name = "ControlStreamWithoutSettings",
                                                .control = {0x00, 0x07, 0x01, 0x00},
                                                .expected = ErrorCode::missing_settings},
                                         Attack{.name = "SettingsTwice",
                                                .control = {0x00, 0x04, 0x00, 0x04, 0x00},
                                                .expected = ErrorCode::frame_unexpected},
                                         Attack{.name = "DataOnControlStream",
                                                .control = {0x00, 0x04, 0x00, 0x00, 0x01, 'x'},
                                                .expected = ErrorCode::frame_unexpected},
                                         Attack{.name = "ControlStreamClosed",
                                                .control = kControlStream,
                                                .control_fin = true,
                                                .expected = ErrorCode::closed_critical_stream},
                                         Attack{.name = "Http2Setting",
                                                .control = {0x00, 0x04, 0x02, 0x02, 0x00},
                                                .expected = ErrorCode::settings_error},
                                         Attack{.name = "DataBeforeHeaders",
                                                .control = kControlStream,
                                                .request = {0x00, 0x01, 'x'},
                                                .expected = ErrorCode::frame_unexpected},
                                         Attack{.name = "SettingsOnRequestStream",
                                                .control = kControlStream,
                                                .request = {0x04, 0x00},
                                                .expected = ErrorCode::frame_unexpected},
                                         Attack{.name = "FrameCutShort",
                                                .control = kControlStream,
                                                .request = {0x01, 0x10, 0x00},
                                                .expected = ErrorCode::frame_error},
                                         // Required Insert Count 0, Base 0, then an indexed field beyond the
                                         // static table (RFC 9204 §3.1).
                                         Attack{.name = "StaticIndexOutOfBounds",
                                                .control = kControlStream,
                                                .request = {0x01, 0x04, 0x00, 0x00, 0xff, 0x7f},
                                                .expected = ErrorCode::qpack_decompression_failed},
                                         Attack{.name = "PushStreamFromClient",
                                                .control = {0x01, 0x00},
                                                .expected = ErrorCode::stream_creation_error}),
                         [](const auto& param) { return param.param.name; });

// :method GET alone: mandatory pseudo-header fields are absent (RFC 9114 §4.3.1). A stream error, not the
// connection's.
TEST(Failure, AMalformedRequestResetsItsStreamOnly) {
  World world;
  RawClient client{[](Endpoint& endpoint, ConnectionHandle connection, TimePoint) {
    const auto control = endpoint.open_stream(connection, StreamKind::uni);
    ASSERT_TRUE(endpoint.write(connection, *control, raw(kControlStream), false));
    const auto request = endpoint.open_stream(connection, StreamKind::bidi);
    ASSERT_TRUE(endpoint.write(connection, *request, raw({0x01, 0x03, 0x00, 0x00, 0xd1}), true));
  }};
  world.other_client = &client;
  ASSERT_TRUE(world.run_until([&] { return client.reset.has_value(); }, seconds{5}));
  EXPECT_EQ(to_string(static_cast<ErrorCode>(client.reset->error_code)), "H3_MESSAGE_ERROR");
  world.run_for(seconds{1});
  EXPECT_FALSE(client.ended);
  EXPECT_EQ(world.server.server.unfinished_requests(), 0U);
}

// RFC 9114 §6.2: streams of unknown type are no error; the peer is asked to stop, and nothing is kept.
TEST(Failure, UnknownStreamTypesAreIgnored) {
  World world;
  RawClient client{[](Endpoint& endpoint, ConnectionHandle connection, TimePoint) {
    const auto control = endpoint.open_stream(connection, StreamKind::uni);
    ASSERT_TRUE(endpoint.write(connection, *control, raw(kControlStream), false));
    const auto unknown = endpoint.open_stream(connection, StreamKind::uni);
    ASSERT_TRUE(endpoint.write(connection, *unknown, raw({0x21, 1, 2, 3}), false));
  }};
  world.other_client = &client;
  world.run_for(seconds{2});
  EXPECT_FALSE(client.ended);
}

}  // namespace
}  // namespace quell::http3
