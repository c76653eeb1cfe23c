// Does cubic.cc say what RFC 9438 says? A second reading of the text (cubic_oracle_for_test.h) hears the same
// ACKs and must agree at each of them, to a packet.
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <utility>
#include <vector>

#include "quell/base/rng.h"
#include "quell/cc/cubic.h"
#include "quell/cc/cubic_oracle_for_test.h"
#include "quell/cc/loop_for_test.h"

namespace quell::cc {
namespace {

using test::kPacket;
using test::Oracle;

// One life of both. Ours lives on the growth clock, the oracle on the wall's. Slow start is the classic one:
// RFC 9438 leaves its end to others, and hystart_test.cc has its own second reading.
struct Life {
  Life(std::uint64_t seed, ByteCount packets)
      : rng(seed),
        ours(make_cubic_classic({.max_datagram_size = kPacket, .initial_window = packets * kPacket})),
        text(static_cast<double>(packets)) {}

  double packets() const { return static_cast<double>(ours->cwnd()) / kPacket; }
  void watch() { worst = std::max(worst, std::abs(packets() - text.cwnd)); }

  void wait(Duration time) {
    clock += time;
    text.time_passes(to_seconds(time));
  }
  void ack(ByteCount bytes, ByteCount growable, bool in_recovery = false) {
    ours->on_ack({.acked_bytes = bytes,
                  .growable_bytes = growable,
                  .in_flight_before = kMostWindow,
                  .rtt = {.latest = rtt, .min = rtt, .smoothed = rtt},
                  .growth_clock = clock,
                  .in_recovery = in_recovery},
                 TimePoint{});
    if (growable > 0) text.ack(static_cast<double>(growable) / kPacket, to_seconds(rtt));
    watch();
  }

  // A window of ACKs of random sizes.
  void round() {
    const auto window = ours->cwnd();
    for (ByteCount acked = 0; acked < window;) {
      const ByteCount bytes = std::min<ByteCount>(window - acked, 1 + rng.below(2 * kPacket));
      wait(rtt * static_cast<std::int64_t>(bytes) / static_cast<std::int64_t>(window));
      acked += bytes;
      ack(bytes, bytes);
    }
  }

  // The application has nothing to say for `time`, or only a packet in every round trip.
  void be_limited(Duration time, bool is_dripping) {
    text.time_passes(to_seconds(time), true);
    if (!is_dripping) return;
    for (int i = 0; i < 10; ++i) ack(kPacket, 0);
  }

  void begin_episode(CongestionCause cause) {
    ours->on_congestion({.cause = cause, .episode = ++episode}, TimePoint{});
    cause == CongestionCause::loss ? text.lose() : text.mark();
    is_undoable = cause == CongestionCause::loss;
    watch();
  }
  void end_episode() {
    ours->on_recovery_exit(clock, TimePoint{});
    text.recovery_ends();
  }
  void lose(CongestionCause cause = CongestionCause::loss) {
    begin_episode(cause);
    wait(rtt);
    ack(kPacket, 0, true);
    end_episode();
  }
  void persist() {
    begin_episode(CongestionCause::loss);
    ours->on_congestion({.cause = CongestionCause::persistent, .episode = episode}, TimePoint{});
    text.time_out();
    is_undoable = false;
    watch();
  }
  // The last loss was none; in its own episode, which then has no other end, or later.
  void undo() {
    if (!is_undoable) return;
    is_undoable = false;
    ours->on_spurious(episode, TimePoint{});
    text.loss_was_spurious();
    watch();
  }

  Rng rng;
  ControllerPtr ours;
  Oracle text;
  Duration rtt{milliseconds{100}};
  Duration clock{0};
  std::uint64_t episode = 0;
  bool is_undoable = false;
  double worst = 0;  // packets, between the two
};

// Scenario 11: the cubic region, then Reno's from about the sixth second on.
TEST(CubicOracle, AgreesAtEveryAckAfterOneLossAtAHundredPackets) {
  Life life{1, 100};
  life.lose();
  for (int i = 0; i < 200; ++i) life.round();
  EXPECT_LE(life.worst, 1);
  EXPECT_GT(life.packets(), 150);
}

enum class What : std::uint8_t { round, lose, mark, persist, silence, drip, false_loss, undo, other_rtt };

void live(Life& life, What what, int amount) {
  switch (what) {
    case What::round:
      for (int i = 0; i <= amount / 100; ++i) life.round();
      return;
    case What::lose:
      return life.lose();
    case What::mark:
      return life.lose(CongestionCause::ecn_ce);
    case What::persist:
      return life.persist();
    case What::silence:
      return life.be_limited(milliseconds{amount * amount}, false);  // up to 17 minutes
    case What::drip:
      return life.be_limited(10 * life.rtt, true);
    case What::false_loss:
      life.begin_episode(CongestionCause::loss);
      life.wait(life.rtt);
      if (amount % 2 == 0) life.be_limited(milliseconds{amount}, false);
      life.ack(kPacket, 0, true);
      return life.undo();
    case What::undo:
      return life.undo();
    case What::other_rtt:
      life.rtt = milliseconds{1 + amount * 3 / 10};
      return;
  }
}

// 10,000 cases: RC_PARAMS="max_success=10000". A failure prints the RC_PARAMS that replays it.
RC_GTEST_PROP(CubicOracle, AgreesAtEveryAckOfAnyLife, ()) {
  Life life{*rc::gen::arbitrary<std::uint64_t>(), *rc::gen::inRange<ByteCount>(2, 300)};
  life.rtt = milliseconds{*rc::gen::inRange(1, 300)};
  const auto steps = *rc::gen::container<std::vector<std::pair<What, int>>>(
      rc::gen::pair(rc::gen::weightedElement<What>({{9, What::round},
                                                    {2, What::lose},
                                                    {1, What::mark},
                                                    {1, What::persist},
                                                    {2, What::silence},
                                                    {1, What::drip},
                                                    {2, What::false_loss},
                                                    {2, What::undo},
                                                    {1, What::other_rtt}}),
                    rc::gen::inRange(0, 1'000)));
  for (const auto& [what, amount] : steps) {
    live(life, life.packets() > 600 ? What::lose : what, amount);
    RC_ASSERT(life.worst <= 1);
  }
}

}  // namespace
}  // namespace quell::cc
