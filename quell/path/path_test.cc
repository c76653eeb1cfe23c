#include "quell/path/path.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

namespace quell::path {
namespace {

constexpr TimePoint kStart{};
using Datagram = std::vector<std::uint8_t>;

Datagram short_header(std::size_t size) {
  return Datagram(size, 0x40);
}

// A Handshake packet with empty IDs and `payload` bytes behind the length field (RFC 9000 §17.2.4).
Datagram long_header(std::size_t payload) {
  Datagram packet{0xe0,
                  0,
                  0,
                  0,
                  1,
                  0,
                  0,
                  static_cast<std::uint8_t>(0x40 | payload >> 8),
                  static_cast<std::uint8_t>(payload)};
  packet.resize(packet.size() + payload);
  return packet;
}

// What becomes of a packet at the entry.
Fate send(Path& path, Way way, const Datagram& bytes, TimePoint now) {
  Packet packet = path.make_packet(bytes);
  packet.way = way;
  return path.send(std::move(packet), now);
}

PathConfig lossy_for_two_seconds(Opening opening, double probability) {
  PathConfig config;
  config.down.losses = {
      {.from = {opening, {}}, .lasts = seconds{2}, .probability = probability, .bursts = {}, .label = {}}};
  return config;
}

TEST(Path, FindsOneRttPacketsBehindCoalescedOnes) {
  Datagram datagram = long_header(50);
  EXPECT_FALSE(holds_one_rtt(datagram));
  const Datagram tail = short_header(40);
  datagram.insert(datagram.end(), tail.begin(), tail.end());
  EXPECT_TRUE(holds_one_rtt(datagram));
}

TEST(Path, LosesAtTheProbabilityAsked) {
  Path path{lossy_for_two_seconds(Opening::start, 0.3), Rng{3}, kStart};
  int lost = 0;
  constexpr int kPackets = 20000;
  for (int i = 0; i < kPackets; ++i) {
    if (send(path, Way::down, short_header(100), kStart) == Fate::lost_by_chance) ++lost;
  }
  const double sigma = std::sqrt(0.3 * 0.7 * kPackets);
  EXPECT_NEAR(lost, 0.3 * kPackets, 4 * sigma);
}

TEST(Path, LosesOnlyWhileThePhaseIsOpen) {
  Path path{lossy_for_two_seconds(Opening::start, 1), Rng{3}, kStart};
  const auto fate_at = [&](Duration t) { return send(path, Way::down, short_header(100), kStart + t); };
  EXPECT_EQ(fate_at(Duration{0}), Fate::lost_by_chance);
  EXPECT_EQ(fate_at(seconds{2} - nanoseconds{1}), Fate::lost_by_chance);
  EXPECT_EQ(fate_at(seconds{2}), Fate::delivered);
}

TEST(Path, AnEventOpensThePhaseForBothWays) {
  Path path{lossy_for_two_seconds(Opening::first_one_rtt_up, 1), Rng{3}, kStart};
  EXPECT_EQ(send(path, Way::down, short_header(100), kStart), Fate::delivered);
  EXPECT_FALSE(path.trouble_ends_at());
  send(path, Way::up, long_header(20), kStart + milliseconds{4});
  send(path, Way::up, short_header(100), kStart + milliseconds{5});
  EXPECT_EQ(send(path, Way::down, short_header(100), kStart + milliseconds{5}), Fate::lost_by_chance);
  EXPECT_EQ(path.trouble_ends_at(), kStart + milliseconds{2005});
}

TEST(Path, AScriptDropsOneAtATimeAsOftenAsAsked) {
  PathConfig config;
  config.down.drops = {{.from = {}, .every = milliseconds{10}, .times = 2, .least_size = 1000}};
  Path path{config, Rng{3}, kStart};
  const auto fate_at = [&](int ms, std::size_t size) {
    return send(path, Way::down, short_header(size), kStart + milliseconds{ms});
  };
  EXPECT_EQ(fate_at(0, 999), Fate::delivered);
  EXPECT_EQ(fate_at(0, 1000), Fate::dropped_by_script);
  EXPECT_EQ(fate_at(9, 1000), Fate::delivered);
  EXPECT_EQ(fate_at(12, 1000), Fate::dropped_by_script);
  EXPECT_EQ(fate_at(40, 1000), Fate::delivered);
  EXPECT_EQ(path.trouble_ends_at(), kStart + milliseconds{12});
}

TEST(Path, ThinsAcksButLeavesDataAndHandshakesAlone) {
  PathConfig config;
  config.up.thin = {.keep_one_in = 5, .at_most = 100};
  Path path{config, Rng{3}, kStart};
  int acks = 0;
  for (int i = 0; i < 50; ++i) {
    if (send(path, Way::up, short_header(40), kStart) == Fate::delivered) ++acks;
    EXPECT_EQ(send(path, Way::up, short_header(500), kStart), Fate::delivered);
    EXPECT_EQ(send(path, Way::up, long_header(20), kStart), Fate::delivered);
  }
  EXPECT_EQ(acks, 10);
}

TEST(Path, EqualSeedsGiveEqualFates) {
  const auto fates = [](std::uint64_t seed) {
    Path path{lossy_for_two_seconds(Opening::start, 0.5), Rng{seed}, kStart};
    std::vector<Fate> all;
    for (int i = 0; i < 200; ++i) all.push_back(send(path, Way::down, short_header(100), kStart));
    return all;
  };
  EXPECT_EQ(fates(1), fates(1));
  EXPECT_NE(fates(1), fates(2));
}

TEST(LossModel, BurstsHaveTheirMeanLengthAndShare) {
  // Mean burst of 1 / bad_to_good = 4 packets; share of time in bad = 0.01 / (0.01 + 0.25).
  LossPhase phase;
  phase.bursts = GilbertElliott{.good_to_bad = 0.01, .bad_to_good = 0.25};
  LossModel model{phase, Rng{5}};
  int lost = 0;
  int bursts = 0;
  bool before = false;
  constexpr int kPackets = 400000;
  for (int i = 0; i < kPackets; ++i) {
    const bool now = model.is_lost();
    lost += now ? 1 : 0;
    bursts += now && !before ? 1 : 0;
    before = now;
  }
  // About 3850 bursts whose lengths have a standard deviation of 3.5: 5 % is over three sigma of either
  // figure.
  EXPECT_NEAR(lost / static_cast<double>(kPackets), 0.01 / 0.26, 0.05 * 0.01 / 0.26);
  EXPECT_NEAR(lost / static_cast<double>(bursts), 4, 0.2);
}

}  // namespace
}  // namespace quell::path
