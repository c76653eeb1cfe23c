// Do the elements of a path work where they stand in it?
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "quell/path/path.h"

namespace quell::path {
namespace {

constexpr TimePoint kStart{seconds{1}};

Fate send(Path& path, Way way, std::vector<std::uint8_t> bytes, TimePoint now, Ecn ecn = Ecn::not_ect) {
  Packet packet = path.make_packet(bytes);
  packet.way = way;
  packet.ecn = ecn;
  return path.send(std::move(packet), now);
}

std::vector<std::uint8_t> numbered(std::uint8_t number, std::size_t size = 100) {
  std::vector<std::uint8_t> bytes(size, 0x40);
  bytes.back() = number;
  return bytes;
}

// All that comes out, in order, until the path is empty.
std::vector<Exit> drain(Path& path, Duration* last_at = nullptr) {
  std::vector<Exit> exits;
  while (const auto next = path.next_event()) {
    while (auto exit = path.poll(*next)) {
      if (last_at != nullptr) *last_at = *next - kStart;
      exits.push_back(std::move(*exit));
    }
  }
  return exits;
}

std::string order_of(const std::vector<Exit>& exits) {
  std::string order;
  for (const Exit& exit : exits) order += static_cast<char>('0' + exit.packet.bytes.back());
  return order;
}

PathConfig ten_ms() {
  PathConfig config;
  config.up.link.delay = config.down.link.delay = milliseconds{10};
  return config;
}

TEST(PathElements, APacketIsOvertakenByAsManyAsAsked) {
  PathConfig config = ten_ms();
  config.down.reorders = {{.when = {}, .every_nth = 3, .by_packets = 2}};
  Path path{config, Rng{1}, kStart};
  for (std::uint8_t i = 1; i <= 7; ++i) send(path, Way::down, numbered(i), kStart + milliseconds{i});
  EXPECT_EQ(order_of(drain(path)), "1245376");
}

TEST(PathElements, AHeldPacketThatNobodyOvertakesComesOutAllTheSame) {
  PathConfig config = ten_ms();
  config.down.reorders = {{.when = {}, .every_nth = 1, .by_packets = 2, .by_time = milliseconds{50}}};
  Path path{config, Rng{1}, kStart};
  send(path, Way::down, numbered(1), kStart);
  Duration at{};
  EXPECT_EQ(drain(path, &at).size(), 1U);
  EXPECT_EQ(at, milliseconds{60});
}

TEST(PathElements, APacketIsLateByATime) {
  PathConfig config = ten_ms();
  config.down.reorders = {{.when = {}, .every_nth = 2, .by_time = microseconds{2500}}};
  Path path{config, Rng{1}, kStart};
  for (std::uint8_t i = 1; i <= 5; ++i) send(path, Way::down, numbered(i), kStart + milliseconds{i});
  EXPECT_EQ(order_of(drain(path)), "13254");
}

TEST(PathElements, CopiesFollowTheirOriginals) {
  PathConfig config = ten_ms();
  config.down.duplicates = {{.when = {}, .probability = 1}};
  Path path{config, Rng{1}, kStart};
  send(path, Way::down, numbered(1), kStart);
  send(path, Way::down, numbered(2), kStart);
  EXPECT_EQ(order_of(drain(path)), "1122");
}

TEST(PathElements, DamagedBytesArriveWithThatManyBitsFlipped) {
  PathConfig config = ten_ms();
  config.down.corruptions = {{.when = {}, .probability = 0.5, .bits = 3}};
  Path path{config, Rng{1}, kStart};
  constexpr int kPackets = 2000;
  for (int i = 0; i < kPackets; ++i) send(path, Way::down, numbered(0), kStart);
  int damaged = 0;
  for (const Exit& exit : drain(path)) {
    int bits = 0;
    const auto whole = numbered(0);
    for (std::size_t i = 0; i < whole.size(); ++i) {
      bits += __builtin_popcount(static_cast<unsigned>(whole[i] ^ exit.packet.bytes[i]));
    }
    EXPECT_TRUE(bits == 0 || bits == 3);
    damaged += bits > 0 ? 1 : 0;
  }
  EXPECT_NEAR(damaged, kPackets / 2, 4 * std::sqrt(kPackets * 0.25));
}

TEST(PathElements, LargerDatagramsVanishWhileTheMtuIsLow) {
  PathConfig config = ten_ms();
  config.down.mtus = {{.when = {.from = {}, .lasts = seconds{1}}, .largest = 1280}};
  Path path{config, Rng{1}, kStart};
  EXPECT_EQ(send(path, Way::down, numbered(1, 1280), kStart), Fate::delivered);
  EXPECT_EQ(send(path, Way::down, numbered(2, 1281), kStart), Fate::too_large);
  EXPECT_FALSE(path.trouble_ends_at() > kStart + seconds{1});
  EXPECT_EQ(send(path, Way::down, numbered(3, 1281), kStart + seconds{1}), Fate::delivered);
}

TEST(PathElements, EcnBitsAreBleachedMarkedOrSwallowed) {
  const auto passes = [](EcnAction action, Ecn ecn) -> std::string {
    PathConfig config = ten_ms();
    config.down.ecn = {{.when = {}, .action = action, .probability = 1, .times = {}}};
    Path path{config, Rng{1}, kStart};
    const Fate fate = send(path, Way::down, numbered(1), kStart, ecn);
    if (fate != Fate::delivered) return to_string(fate);
    return std::to_string(static_cast<int>(drain(path).front().packet.ecn));
  };
  EXPECT_EQ(passes(EcnAction::bleach, Ecn::ect0), "0");
  EXPECT_EQ(passes(EcnAction::bleach, Ecn::ce), "0");
  EXPECT_EQ(passes(EcnAction::mark, Ecn::ect0), "3");
  EXPECT_EQ(passes(EcnAction::mark, Ecn::not_ect), "0");
  EXPECT_EQ(passes(EcnAction::black_hole, Ecn::ect0), "black-holed for its ECN bits");
  EXPECT_EQ(passes(EcnAction::black_hole, Ecn::not_ect), "0");
}

TEST(PathElements, ABoxMarksAsManyAsAsked) {
  PathConfig config = ten_ms();
  config.down.ecn = {{.when = {}, .action = EcnAction::mark, .probability = 1, .times = 1}};
  Path path{config, Rng{1}, kStart};
  for (int i = 0; i < 5; ++i) send(path, Way::down, numbered(1), kStart, Ecn::ect0);
  int marked = 0;
  for (const Exit& exit : drain(path)) marked += exit.packet.ecn == Ecn::ce ? 1 : 0;
  EXPECT_EQ(marked, 1);
}

TEST(PathElements, ANatForgetsTheOldPort) {
  PathConfig config = ten_ms();
  config.rebindings = {{.opening = Opening::start, .after = seconds{1}}};
  Path path{config, Rng{1}, kStart};
  send(path, Way::up, numbered(1), kStart);
  EXPECT_EQ(drain(path).front().packet.binding, 0U);
  // Sent to the old port 5 ms before the change, it arrives 5 ms behind it.
  send(path, Way::down, numbered(2), kStart + milliseconds{995});
  EXPECT_EQ(drain(path).front().fate, Fate::unmapped);
  send(path, Way::up, numbered(3), kStart + seconds{1});
  EXPECT_EQ(drain(path).front().packet.binding, 1U);
}

// 1250-byte packets at twice the rate of a 10 Mbit/s link with CoDel, for two seconds.
TEST(PathElements, AManagedQueueHoldsItsDelayAndTellsOfDrops) {
  PathConfig config = ten_ms();
  config.down.link.rate = Rate::bits_per_second(10e6);
  config.down.link.queue = QueueKind::codel;
  Path path{config, Rng{1}, kStart};
  std::vector<Exit> exits;
  for (TimePoint now = kStart; now < kStart + seconds{2}; now += microseconds{500}) {
    while (path.next_event() && *path.next_event() <= now) {
      if (auto exit = path.poll(now)) exits.push_back(std::move(*exit));
    }
    send(path, Way::down, numbered(1, 1250), now);
  }
  int dropped = 0;
  ByteCount delivered = 0;
  for (const Exit& exit : exits) {
    if (exit.fate == Fate::dropped_by_queue) ++dropped;
    if (exit.fate == Fate::delivered) delivered += exit.packet.bytes.size();
  }
  EXPECT_GT(dropped, 0);
  // The link is never idle: what has not arrived is on the 10 ms line.
  EXPECT_NEAR(static_cast<double>(delivered), 1.25e6 * (2 - 0.010), 2 * 1250);
  EXPECT_GT(path.backlog(Way::down, kStart + seconds{2}), 0U);
}

TEST(PathElements, PacketsSayHowLongTheyWaited) {
  PathConfig config = ten_ms();
  config.down.link.rate = Rate::bits_per_second(10e6);
  Path path{config, Rng{1}, kStart};
  send(path, Way::down, numbered(1, 1250), kStart);
  send(path, Way::down, numbered(2, 1250), kStart);
  const auto exits = drain(path);
  EXPECT_EQ(exits.at(0).packet.waited, Duration{0});
  EXPECT_EQ(exits.at(1).packet.waited, milliseconds{1});
  EXPECT_EQ(exits.at(1).packet.leaves_at, kStart + milliseconds{2});
}

}  // namespace
}  // namespace quell::path
