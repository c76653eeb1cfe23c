#include "quell/path/dual_pi2.h"

#include <gtest/gtest.h>

namespace quell::path {
namespace {

constexpr TimePoint kStart{seconds{1}};

Packet packet(Ecn ecn, TimePoint sent_at) {
  Packet p;
  p.bytes.resize(1000);
  p.sent_at = sent_at;
  p.ecn = ecn;
  return p;
}

TEST(DualPi2, TheBaseProbabilityFollowsItsTwoGains) {
  DualPi2 queue{{}, kStart};
  // One classic packet that has waited 30 ms at the second update (at 30 ms), 15 ms at the first: alpha =
  // 0.1 · 0.015 / 0.1² = 0.15 Hz, beta = 0.3 / 0.1 = 3 Hz (RFC 9332 §A.1).
  queue.enqueue(packet(Ecn::not_ect, kStart), kStart);
  queue.enqueue(packet(Ecn::not_ect, kStart + milliseconds{30}), kStart + milliseconds{30});
  const double first = 0.15 * (0.015 - 0.015) + 3 * (0.015 - 0);
  const double second = 0.15 * (0.030 - 0.015) + 3 * (0.030 - 0.015);
  EXPECT_NEAR(queue.base_probability(), first + second, 1e-9);
}

TEST(DualPi2, TheLowLatencyQueueGoesFirstButNotAlone) {
  DualPi2 queue{{}, kStart};
  for (int i = 0; i < 64; ++i) {
    queue.enqueue(packet(Ecn::not_ect, kStart), kStart);
    queue.enqueue(packet(Ecn::ect1, kStart), kStart);
  }
  int low = 0;
  int classic = 0;
  std::vector<Packet> dropped;
  for (int i = 0; i < 64; ++i) {
    const auto out = queue.dequeue(dropped, kStart);
    ++(out->ecn == Ecn::not_ect ? classic : low);
  }
  EXPECT_NEAR(classic, 64 / 16, 1);  // its share of 1/16, in packets of equal size
  EXPECT_EQ(low, 64 - classic);
}

TEST(DualPi2, MarksTheLowLatencyQueueAlongItsRamp) {
  const auto marked = [](Duration waited) {
    DualPi2 queue{{}, kStart};
    int marks = 0;
    for (int i = 0; i < 101; ++i) queue.enqueue(packet(Ecn::ect1, kStart), kStart);
    std::vector<Packet> dropped;
    for (int i = 0; i < 100; ++i) marks += queue.dequeue(dropped, kStart + waited)->ecn == Ecn::ce ? 1 : 0;
    return marks;
  };
  EXPECT_EQ(marked(microseconds{800}), 0);
  EXPECT_NEAR(marked(microseconds{1000}), 50, 1);  // half of the ramp from 800 to 1200 µs
  EXPECT_NEAR(marked(microseconds{1200}), 100, 1);
}

// A standing classic queue of 40 ms for a second: 25 ms above the target.
struct Signals {
  int classic = 0;  // dropped or marked
  int low = 0;
  int drops = 0;
};
Signals under_load(Ecn classic_ecn) {
  DualPi2 queue{{}, kStart};
  Signals signals;
  for (int i = 0; i < 5; ++i) queue.enqueue(packet(classic_ecn, kStart - milliseconds{40}), kStart);
  for (int ms = 0; ms < 1000; ++ms) {
    const TimePoint now = kStart + milliseconds{ms};
    queue.enqueue(packet(classic_ecn, now - milliseconds{40}), now);
    queue.enqueue(packet(classic_ecn, now - milliseconds{40}), now);
    queue.enqueue(packet(Ecn::ect1, now), now);
    std::vector<Packet> dropped;
    for (int i = 0; i < 3; ++i) {
      const auto out = queue.dequeue(dropped, now);
      if (out && out->ecn == Ecn::ce) ++(out->sent_at == now ? signals.low : signals.classic);
    }
    signals.drops += static_cast<int>(dropped.size());
    signals.classic += static_cast<int>(dropped.size());
  }
  return signals;
}

TEST(DualPi2, ClassicPacketsAreMarkedWhereTheyCanBe) {
  EXPECT_GT(under_load(Ecn::not_ect).drops, 0);
  const Signals marked = under_load(Ecn::ect0);
  EXPECT_EQ(marked.drops, 0);
  EXPECT_GT(marked.classic, 0);
  // Coupling: 2 p' against p'², and p' stays below a half.
  EXPECT_GT(marked.low, marked.classic);
}

TEST(DualPi2, AnIdleHourCostsNothingAndLeavesNoProbability) {
  DualPi2 queue{{}, kStart};
  queue.enqueue(packet(Ecn::not_ect, kStart), kStart);
  std::vector<Packet> dropped;
  queue.dequeue(dropped, kStart + milliseconds{20});
  queue.enqueue(packet(Ecn::not_ect, kStart + hours{1}), kStart + hours{1});
  EXPECT_EQ(queue.base_probability(), 0);
}

}  // namespace
}  // namespace quell::path
