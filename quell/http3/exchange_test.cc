// Do requests and responses arrive as they were meant?
#include <gtest/gtest.h>

#include "quell/base/rng.h"
#include "quell/http3/world_for_test.h"

namespace quell::http3 {
namespace {

using test::Exchange;
using test::World;

Response text_response(std::string_view text, Fields trailers = {}) {
  return {.status = 200,
          .fields = {{"content-type", "text/plain"}},
          .body = std::make_unique<MemoryBody>(std::vector<std::uint8_t>{text.begin(), text.end()},
                                               std::move(trailers))};
}

std::string generated(ByteCount size) {
  std::string text(size, '\0');
  for (ByteCount i = 0; i != size; ++i) text[i] = static_cast<char>(generated_byte(i));
  return text;
}

TEST(Exchange, AResponseHasStatusFieldsContentAndLength) {
  World world;
  world.server.answer = [](const RequestReceived& request) {
    EXPECT_EQ(request.method, "GET");
    EXPECT_EQ(request.scheme, "https");
    EXPECT_EQ(request.authority, "localhost");
    EXPECT_EQ(request.path, "/hello?x=1");
    return text_response("hello");
  };
  const RequestId id = world.get("/hello?x=1");
  ASSERT_TRUE(world.run_until([&] { return world.client.seen[id].ended; }));
  const Exchange& seen = world.client.seen[id];
  EXPECT_EQ(seen.status, 200U);
  EXPECT_EQ(seen.content, "hello");
  EXPECT_EQ(find(seen.fields, "content-type"), "text/plain");
  EXPECT_EQ(find(seen.fields, "content-length"), "5");
}

TEST(Exchange, EmptyContentIsAResponseToo) {
  World world;
  world.server.answer = [](const RequestReceived& request) {
    return request.path == "/none" ? Response{.status = 204, .fields = {}, .body = nullptr}
                                   : text_response("");
  };
  const RequestId none = world.get("/none");
  const RequestId empty = world.get("/empty");
  ASSERT_TRUE(
      world.run_until([&] { return world.client.seen[none].ended && world.client.seen[empty].ended; }));
  EXPECT_EQ(world.client.seen[none].status, 204U);
  EXPECT_EQ(world.client.seen[empty].content, "");
}

TEST(Exchange, HeadHasALengthAndNoContent) {
  World world;
  world.server.answer = [](const RequestReceived&) {
    return Response{.status = 200, .fields = {{"content-length", "1000"}}, .body = nullptr};
  };
  const RequestId id = world.client.client->request(World::request("/", "HEAD"));
  ASSERT_TRUE(world.run_until([&] { return world.client.seen[id].ended; }));
  EXPECT_EQ(find(world.client.seen[id].fields, "content-length"), "1000");
}

TEST(Exchange, ContentOfManyWindowsArrivesWhole) {
  World world;
  static constexpr ByteCount kSize = 40'000'000;  // more than both flow-control windows
  world.server.answer = [](const RequestReceived&) {
    return Response{.status = 200, .fields = {}, .body = std::make_unique<GeneratedBody>(kSize)};
  };
  const RequestId id = world.get("/");
  ASSERT_TRUE(world.run_until([&] { return world.client.seen[id].ended; }, seconds{600}));
  EXPECT_TRUE(world.client.seen[id].content == generated(kSize));
}

TEST(Exchange, ContentSurvivesLoss) {
  World world;
  Rng rng{7};
  world.drops = [&rng] { return rng.chance(0.03); };
  world.server.answer = [](const RequestReceived&) {
    return Response{.status = 200, .fields = {}, .body = std::make_unique<GeneratedBody>(1'000'000)};
  };
  std::vector<RequestId> ids;
  for (int i = 0; i != 10; ++i) ids.push_back(world.get("/"));
  const std::string expected = generated(1'000'000);
  ASSERT_TRUE(world.run_until(
      [&] { return std::ranges::all_of(ids, [&](RequestId id) { return world.client.seen[id].ended; }); },
      seconds{600}));
  for (const RequestId id : ids) EXPECT_TRUE(world.client.seen[id].content == expected);
}

TEST(Exchange, RequestsBeyondTheStreamLimitWaitForTheirTurn) {
  ConnectionConfig few = test::h3_config();
  few.max_streams_bidi = 4;
  World world{few};
  world.server.answer = [](const RequestReceived& request) { return text_response(request.path); };
  for (int i = 0; i != 50; ++i) world.get("/" + std::to_string(i));
  ASSERT_TRUE(world.run_until([&] { return world.client.seen.size() == 50 && world.all_over(); }));
  for (const auto& [id, seen] : world.client.seen) EXPECT_EQ(seen.content, "/" + std::to_string(id));
  EXPECT_EQ(world.client.client->open_requests(), 0U);
}

TEST(Exchange, ContentAndTrailersTravelBothWays) {
  World world;
  world.server.answer_at_end = [](const Exchange& request) {
    return text_response("got " + std::to_string(request.content.size()), {{"x-sum", "42"}});
  };
  Request request = World::request("/up", "POST");
  request.body =
      std::make_unique<MemoryBody>(std::vector<std::uint8_t>(300'000, 'u'), Fields{{"x-check", "ok"}});
  const RequestId id = world.client.client->request(std::move(request));
  ASSERT_TRUE(world.run_until([&] { return world.client.seen[id].ended; }));
  const Exchange& at_server = world.server.seen.begin()->second;
  EXPECT_EQ(at_server.method, "POST");
  EXPECT_EQ(find(at_server.fields, "content-length"), "300000");
  EXPECT_EQ(at_server.content, std::string(300'000, 'u'));
  EXPECT_EQ(find(at_server.trailers, "x-check"), "ok");
  EXPECT_EQ(world.client.seen[id].content, "got 300000");
  EXPECT_EQ(find(world.client.seen[id].trailers, "x-sum"), "42");
}

// QPACK: while the encoder's stream is late, whole responses wait inside nghttp3 (RFC 9204 §2.1.2) and are
// told at once when it comes. A copy whose owner went too early showed other files' bytes here.
TEST(Exchange, ContentThatQpackHeldBackIsWhole) {
  World world;
  world.server.answer = [](const RequestReceived& request) {
    Response response = text_response(std::string(100, request.path.back()));
    // nghttp3 puts only fields that it knows into the table.
    if (request.path != "/first") response.fields.push_back({"server", "the same for all"});
    return response;
  };
  const RequestId first = world.get("/first");
  ASSERT_TRUE(world.run_until([&] { return world.client.seen[first].ended; }));
  constexpr StreamId kEncoderOfServer = 7;
  world.server_endpoint->set_priority(world.server.connection, kEncoderOfServer, 7, false);
  std::map<RequestId, char> expected;
  for (int i = 0; i != 50; ++i) expected[world.get("/" + std::to_string(i))] = std::to_string(i).back();
  ASSERT_TRUE(world.run_until([&] { return world.client.seen.size() == 51 && world.all_over(); }));
  for (const auto& [id, letter] : expected)
    EXPECT_EQ(world.client.seen[id].content, std::string(100, letter));
}

// QPACK: the second time a field is sent it may come from the dynamic table, and values stay right.
TEST(Exchange, RepeatedFieldsKeepTheirValues) {
  World world;
  world.server.answer = [](const RequestReceived& request) {
    Response response = text_response("");
    response.fields.push_back({"x-echo", std::string{find(request.fields, "x-long").value_or("(none)")}});
    return response;
  };
  Rng rng{3};
  world.drops = [&rng] { return rng.chance(0.02); };
  for (int i = 0; i != 100; ++i) {
    Request request = World::request("/");
    request.fields.push_back({"x-long", "value-of-some-length-" + std::to_string(i % 3)});
    world.client.client->request(std::move(request));
    world.run_for(milliseconds{3});
  }
  ASSERT_TRUE(world.run_until([&] { return world.client.seen.size() == 100 && world.all_over(); }));
  for (const auto& [id, seen] : world.client.seen) {
    EXPECT_EQ(find(seen.fields, "x-echo"), "value-of-some-length-" + std::to_string(id % 3));
  }
}

// A source that has nothing now: asked again after resume().
class PatientBody final : public BodySource {
 public:
  explicit PatientBody(bool* ready) : ready_(ready) {}
  Piece next(std::size_t) override {
    if (!*ready_) return {{}, State::waiting};
    const std::string text = "late";
    return {Slice::adopt({text.begin(), text.end()}), State::end};
  }

 private:
  bool* ready_;
};

TEST(Exchange, ABodyMayWait) {
  World world;
  bool ready = false;
  RequestKey key;
  world.server.answer = [&](const RequestReceived& request) {
    key = request.key;
    return Response{.status = 200, .fields = {}, .body = std::make_unique<PatientBody>(&ready)};
  };
  const RequestId id = world.get("/");
  ASSERT_FALSE(world.run_until([&] { return world.client.seen[id].ended; }, seconds{1}));
  EXPECT_EQ(world.client.seen[id].status, 200U);
  ready = true;
  world.server.act = [&](Server& server) { server.resume(key); };
  ASSERT_TRUE(world.run_until([&] { return world.client.seen[id].ended; }, seconds{1}));
  EXPECT_EQ(world.client.seen[id].content, "late");
}

TEST(Exchange, StreamsLeaveNothingBehind) {
  World world;
  world.server.answer = [](const RequestReceived&) { return text_response("x"); };
  for (int i = 0; i != 300; ++i) world.get("/");
  ASSERT_TRUE(world.run_until([&] { return world.client.seen.size() == 300 && world.all_over(); }));
  world.run_for(seconds{1});
  EXPECT_EQ(world.server.server.unfinished_requests(), 0U);
}

}  // namespace
}  // namespace quell::http3
