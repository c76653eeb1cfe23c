#include "quell/path/codel.h"

#include <gtest/gtest.h>

#include <cmath>

namespace quell::path {
namespace {

constexpr TimePoint kStart{seconds{1}};

Packet packet(TimePoint sent_at, Ecn ecn = Ecn::not_ect) {
  Packet p;
  p.bytes.resize(1000);
  p.sent_at = sent_at;
  p.ecn = ecn;
  return p;
}

// A queue whose packets have all waited `sojourn` when they are taken, one every millisecond, for `lasts`.
// The times of the drops, counted from the first packet.
std::vector<Duration> drops_of(Codel& codel, Duration sojourn, Duration lasts, Ecn ecn = Ecn::not_ect) {
  std::vector<Duration> times;
  TimePoint next_in = kStart;
  for (TimePoint now = kStart; now < kStart + lasts; now += milliseconds{1}) {
    // Enough of a backlog that the queue never runs dry: packets come in as those are taken.
    for (; next_in <= now + milliseconds{5}; next_in += milliseconds{1}) {
      codel.enqueue(packet(next_in - sojourn, ecn), next_in);
    }
    std::vector<Packet> dropped;
    const auto out = codel.dequeue(dropped, now);
    if (!dropped.empty() || (out && out->ecn == Ecn::ce)) times.push_back(now - kStart);
    for (std::size_t i = 0; i < dropped.size(); ++i) {
      codel.enqueue(packet(now - sojourn, ecn), now);  // keeps the backlog as it was
    }
  }
  return times;
}

TEST(Codel, LeavesAShortDelayAlone) {
  Codel codel{{}};
  EXPECT_TRUE(drops_of(codel, milliseconds{-1}, seconds{2}).empty());
}

TEST(Codel, WaitsAnIntervalThenDropsEverMoreOften) {
  Codel codel{{}};
  const auto drops = drops_of(codel, milliseconds{50}, seconds{1});
  ASSERT_GE(drops.size(), 4U);
  // RFC 8289 §3.2: the first after an interval above the target, the n-th interval/√n behind the one before.
  EXPECT_EQ(drops[0], milliseconds{100});
  for (std::size_t n = 1; n < 4; ++n) {
    const double gap_ms = to_milliseconds(drops[n] - drops[n - 1]);
    EXPECT_NEAR(gap_ms, 100 / std::sqrt(static_cast<double>(n)), 1.5) << n;
  }
}

TEST(Codel, MarksWhatCanBeMarked) {
  Codel codel{{}};
  std::vector<Packet> dropped;
  const auto marks = drops_of(codel, milliseconds{50}, seconds{1}, Ecn::ect0);
  ASSERT_FALSE(marks.empty());
  EXPECT_EQ(marks[0], milliseconds{100});
}

TEST(Codel, ALoneFullPacketIsTheLinksFault) {
  Codel codel{{}};
  std::vector<Packet> dropped;
  for (int i = 0; i < 1000; ++i) {
    const TimePoint now = kStart + milliseconds{i};
    codel.enqueue(packet(now - seconds{1}), now);
    EXPECT_TRUE(codel.dequeue(dropped, now));
  }
  EXPECT_TRUE(dropped.empty());
}

}  // namespace
}  // namespace quell::path
