#include "quell/sim/simulation.h"

#include <gtest/gtest.h>

#include <map>

namespace quell::sim {
namespace {

// Sends at chosen times, answers nothing, and writes down when it heard what.
class Scripted final : public Node {
 public:
  void send_at(Duration at, std::size_t size) { to_send_.emplace(kStart + at, size); }
  void handle_datagram(MutableBytes bytes, const Envelope&, TimePoint now) override {
    heard.emplace_back(now - kStart, bytes.size());
  }
  void handle_timeout(TimePoint) override {}
  void drain(const Emit& emit, TimePoint now) override {
    turns.push_back(now - kStart);
    while (!to_send_.empty() && to_send_.begin()->first <= now) {
      emit(std::vector<std::uint8_t>(to_send_.begin()->second, 0x40), {});
      to_send_.erase(to_send_.begin());
    }
  }
  std::optional<TimePoint> next_wake() override {
    if (to_send_.empty()) return std::nullopt;
    return to_send_.begin()->first;
  }
  std::vector<std::pair<Duration, std::size_t>> heard;
  std::vector<Duration> turns;

 private:
  std::multimap<TimePoint, std::size_t> to_send_;
};

path::PathConfig ten_ms_each_way() {
  path::PathConfig config;
  config.up.link.delay = config.down.link.delay = milliseconds{10};
  return config;
}

bool never() {
  return false;
}

TEST(Simulation, DeliversAfterTheDelay) {
  Scripted client;
  Scripted server;
  client.send_at(milliseconds{5}, 100);
  Simulation world{ten_ms_each_way(), Rng{1}, client, {}, server, {}};
  EXPECT_EQ(world.run(never, {}), Outcome::deadlock);
  ASSERT_EQ(server.heard.size(), 1U);
  EXPECT_EQ(server.heard[0].first, milliseconds{15});
}

TEST(Simulation, StopsAtItsDeadlineAndAtItsBudget) {
  Scripted client;
  Scripted server;
  for (int i = 0; i < 100; ++i) client.send_at(milliseconds{i}, 100);
  Simulation world{ten_ms_each_way(), Rng{1}, client, {}, server, {}};
  EXPECT_EQ(world.run(never, {.deadline = kStart + milliseconds{20}}), Outcome::deadline);
  EXPECT_LE(world.now(), kStart + milliseconds{20});
  const auto so_far = world.events();
  EXPECT_EQ(world.run(never, {.events = so_far + 7}), Outcome::budget);
  EXPECT_EQ(world.events(), so_far + 7);
}

// Two packets 50 µs apart, at a host that needs 100 µs to wake.
std::vector<std::pair<Duration, std::size_t>> heard_by(ClockReading clock) {
  Scripted client;
  Scripted server;
  client.send_at(Duration{0}, 100);
  client.send_at(microseconds{50}, 101);
  Simulation world{
      ten_ms_each_way(), Rng{1}, client, {}, server, {.clock = clock, .wake_latency = microseconds{100}}};
  world.run(never, {});
  return server.heard;
}

TEST(Host, OneClockReadingPerTurnGivesABatchOneTime) {
  const auto heard = heard_by(ClockReading::per_turn);
  ASSERT_EQ(heard.size(), 2U);
  EXPECT_EQ(heard[0].first, microseconds{10100});
  EXPECT_EQ(heard[1].first, microseconds{10100});
}

TEST(Host, AClockReadingPerEventKeepsTimesApart) {
  const auto heard = heard_by(ClockReading::per_event);
  ASSERT_EQ(heard.size(), 2U);
  EXPECT_EQ(heard[0].first, microseconds{10100});
  EXPECT_EQ(heard[1].first, microseconds{10150});
}

TEST(Host, TimersFireOnTheGridAndNeverEarly) {
  Scripted client;
  Scripted server;
  client.send_at(microseconds{2300}, 100);
  Simulation world{ten_ms_each_way(), Rng{1}, client, {.timer_granularity = milliseconds{1}}, server, {}};
  world.run(never, {});
  ASSERT_EQ(server.heard.size(), 1U);
  EXPECT_EQ(server.heard[0].first, milliseconds{13});
}

TEST(Host, WorkTakesTimeAndDelaysWhatLeaves) {
  Scripted client;
  Scripted server;
  client.send_at(Duration{0}, 100);
  client.send_at(Duration{0}, 100);
  Simulation world{ten_ms_each_way(),
                   Rng{1},
                   client,
                   {.turn_cost = microseconds{30}, .datagram_cost = microseconds{5}},
                   server,
                   {}};
  world.run(never, {});
  ASSERT_EQ(server.heard.size(), 2U);
  EXPECT_EQ(server.heard[0].first, microseconds{10035});
  EXPECT_EQ(server.heard[1].first, microseconds{10040});
}

std::uint64_t digest_of(std::uint64_t seed) {
  Scripted client;
  Scripted server;
  for (int i = 0; i < 200; ++i) client.send_at(milliseconds{i}, 100);
  path::PathConfig config = ten_ms_each_way();
  config.up.losses = {{.from = {}, .lasts = {}, .probability = 0.5, .bursts = {}, .label = {}}};
  Simulation world{config, Rng{seed}, client, {}, server, {}};
  world.run(never, {});
  return world.digest();
}

TEST(Simulation, EqualSeedsGiveEqualDigests) {
  EXPECT_EQ(digest_of(1), digest_of(1));
  EXPECT_NE(digest_of(1), digest_of(2));
}

TEST(Digest, IsWrittenAsSixteenHexDigits) {
  EXPECT_EQ(to_hex(0xabc), "0000000000000abc");
}

TEST(Simulation, FlowsShareTheirBottleneckAndNothingElse) {
  path::PathConfig config = ten_ms_each_way();
  config.up.link.rate = Rate::bits_per_second(8e6);  // 1000 bytes take 1 ms
  Scripted clients[2];
  Scripted servers[2];
  for (Scripted& client : clients) client.send_at(Duration{0}, 1000);
  Simulation world{config, Rng{1}};
  for (int i = 0; i < 2; ++i) world.add_flow(clients[i], {}, servers[i], {});
  world.set_flow_delay(1, milliseconds{30});
  world.run(never, {});
  ASSERT_EQ(servers[0].heard.size(), 1U);
  ASSERT_EQ(servers[1].heard.size(), 1U);
  EXPECT_EQ(servers[0].heard[0].first, milliseconds{11});
  EXPECT_EQ(servers[1].heard[0].first, milliseconds{42});  // behind the other one, on a longer line
}

// What a host spends on a datagram delays its entry, so that hosts enter the path in the order of time.
TEST(Simulation, PacketsEnterThePathWhenTheyLeaveTheirHost) {
  path::PathConfig config = ten_ms_each_way();
  config.up.link.rate = Rate::bits_per_second(8e6);
  Scripted clients[2];
  Scripted servers[2];
  clients[0].send_at(Duration{0}, 1000);
  clients[1].send_at(microseconds{500}, 1000);
  Simulation world{config, Rng{1}};
  world.add_flow(clients[0], {.turn_cost = milliseconds{2}}, servers[0], {});
  world.add_flow(clients[1], {}, servers[1], {});
  world.run(never, {});
  EXPECT_EQ(servers[1].heard.at(0).first, microseconds{11500});
  EXPECT_EQ(servers[0].heard.at(0).first, milliseconds{13});
}

class Counter final : public Tap {
 public:
  void on_entered(const Entered& d, TimePoint) override { ++fates[d.fate]; }
  void on_left(path::Fate fate, const path::Packet&, TimePoint) override { ++exits[fate]; }
  std::map<path::Fate, int> fates;
  std::map<path::Fate, int> exits;
};

TEST(Tap, SeesEveryDatagramWithItsFate) {
  Scripted client;
  Scripted server;
  for (int i = 0; i < 10; ++i) client.send_at(milliseconds{i}, 100);
  path::PathConfig config = ten_ms_each_way();
  config.up.drops = {{.from = {}, .every = {}, .times = 3, .least_size = 0}};
  Simulation world{config, Rng{1}, client, {}, server, {}};
  Counter tap;
  world.set_tap(&tap);
  world.run(never, {});
  EXPECT_EQ(tap.fates[path::Fate::dropped_by_script], 3);
  EXPECT_EQ(tap.fates[path::Fate::delivered], 7);
  EXPECT_EQ(tap.exits[path::Fate::delivered], 7);
  EXPECT_EQ(server.heard.size(), 7U);
}

}  // namespace
}  // namespace quell::sim
