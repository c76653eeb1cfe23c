// Does cubic.cc say what RFC 9438 says? A second reading of the text, in segments and seconds, that shares no
// code with the first; both hear the same ACKs and must agree at each of them.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "quell/base/rng.h"
#include "quell/cc/cubic.h"
#include "quell/cc/loop_for_test.h"

namespace quell::cc {
namespace {

using test::kPacket;

// Variable names are those of RFC 9438 §4.1.2.
class Oracle {
 public:
  explicit Oracle(double initial) : cwnd(initial) {}

  void ack(double segments_acked, double t_current, double rtt) {
    if (cwnd < ssthresh) {
      // The text leaves the ACK that crosses ssthresh open; we end slow start exactly there (slow_start.h).
      const double step = std::fmin(segments_acked, ssthresh - cwnd);
      cwnd += step;
      segments_acked -= step;
    }
    if (segments_acked <= 0) return;
    if (!stage_begun) begin(t_current);
    const double t = t_current - t_epoch;
    const double alpha = w_est >= cwnd_prior ? 1.0 : 3.0 * 0.3 / 1.7;
    w_est += alpha * segments_acked / cwnd;
    if (curve(t) < w_est) {
      cwnd = w_est;
      return;
    }
    double target = curve(t + rtt);
    if (target < cwnd) target = cwnd;
    if (target > 1.5 * cwnd) target = 1.5 * cwnd;
    cwnd += segments_acked * (target - cwnd) / cwnd;
  }

  void lose() {
    w_max = cwnd < w_max ? cwnd * 1.7 / 2.0 : cwnd;
    cwnd_prior = cwnd;
    ssthresh = std::fmax(cwnd * 0.7, 2.0);
    cwnd = ssthresh;
    stage_begun = false;
    timed_out = false;
  }

  void time_out() {
    cwnd = 2;
    timed_out = true;
    stage_begun = false;
  }

  void recovery_ends(double t_current) {
    if (cwnd < ssthresh) return;
    begin(t_current);
  }

  double cwnd;

 private:
  void begin(double t_current) {
    t_epoch = t_current;
    w_est = cwnd;
    stage_begun = true;
    if (timed_out || w_max < cwnd) w_max = cwnd;
    k = timed_out ? 0.0 : std::pow((w_max - cwnd) / 0.4, 1.0 / 3.0);
  }
  double curve(double t) const { return 0.4 * std::pow(t - k, 3.0) + w_max; }

  double ssthresh = std::numeric_limits<double>::infinity();
  double w_max = 0;
  double cwnd_prior = 0;
  double k = 0;
  double t_epoch = 0;
  double w_est = 0;
  bool stage_begun = false;
  bool timed_out = true;
};

// One life of both, in rounds: a window of ACKs of random sizes, a loss now and then, persistent congestion
// rarely.
struct Life {
  explicit Life(std::uint64_t seed, ByteCount packets)
      : rng(seed),
        ours(make_cubic({.max_datagram_size = kPacket, .initial_window = packets * kPacket})),
        text(static_cast<double>(packets)) {}

  void expect_agreement() const {
    ASSERT_NEAR(static_cast<double>(ours->cwnd()) / kPacket, text.cwnd, 1)
        << "at " << to_seconds(clock) << " s";
  }

  void ack(ByteCount bytes) {
    ours->on_ack({.acked_bytes = bytes,
                  .growable_bytes = bytes,
                  .in_flight_before = kMostWindow,
                  .rtt = {.latest = rtt, .min = rtt, .smoothed = rtt},
                  .growth_clock = clock},
                 TimePoint{});
    text.ack(static_cast<double>(bytes) / kPacket, to_seconds(clock), to_seconds(rtt));
    expect_agreement();
  }

  void round() {
    const auto window = ours->cwnd();
    for (ByteCount acked = 0; acked < window;) {
      const ByteCount bytes = std::min<ByteCount>(window - acked, 1 + rng.below(2 * kPacket));
      clock += rtt * static_cast<std::int64_t>(bytes) / static_cast<std::int64_t>(window);
      acked += bytes;
      ack(bytes);
    }
  }

  void lose(bool is_persistent) {
    ours->on_congestion({.cause = CongestionCause::loss, .episode = ++episode}, TimePoint{});
    text.lose();
    if (is_persistent) {
      ours->on_congestion({.cause = CongestionCause::persistent, .episode = episode}, TimePoint{});
      text.time_out();
    }
    clock += rtt;
    ours->on_recovery_exit(clock, TimePoint{});
    text.recovery_ends(to_seconds(clock));
    expect_agreement();
  }

  Rng rng;
  ControllerPtr ours;
  Oracle text;
  Duration rtt{milliseconds{100}};
  Duration clock{0};
  std::uint64_t episode = 0;
};

// Scenario 11: the cubic region, then Reno's from about the sixth second on.
TEST(CubicOracle, AgreesAtEveryAckAfterOneLossAtAHundredPackets) {
  Life life{1, 100};
  life.lose(false);
  for (int i = 0; i < 200 && !testing::Test::HasFatalFailure(); ++i) life.round();
  EXPECT_GT(life.ours->cwnd(), 150 * kPacket);
}

TEST(CubicOracle, AgreesAtEveryAckOfManyRandomLives) {
  for (std::uint64_t seed = 1; seed <= 40 && !testing::Test::HasFatalFailure(); ++seed) {
    SCOPED_TRACE(seed);
    Life life{seed, 10 + seed * 5};
    life.rtt = milliseconds{1 + static_cast<std::int64_t>(life.rng.below(300))};
    for (int i = 0; i < 120 && !testing::Test::HasFatalFailure(); ++i) {
      if (life.ours->cwnd() > 400 * kPacket || life.rng.below(20) == 0) life.lose(life.rng.below(8) == 0);
      life.round();
    }
  }
}

}  // namespace
}  // namespace quell::cc
