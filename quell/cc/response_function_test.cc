// How large is a window on average, if one packet in so many is lost? (RFC 9438 §5, §4.3; the response
// function of Reno)
#include <gtest/gtest.h>

#include <cmath>

#include "quell/cc/cubic.h"
#include "quell/cc/loop_for_test.h"
#include "quell/cc/reno.h"

namespace quell::cc {
namespace {

// The deterministic model of RFC 9438 §5: exactly 1/p packets between two losses. The mean over round trips,
// in packets, without the first twenty losses: slow start overshoots by far, and each cut takes three tenths
// of that.
double average_window(ControllerPtr controller, double p, Duration rtt, int losses) {
  test::Loop loop{std::move(controller), rtt};
  const auto period = static_cast<PacketNumber>(1 / p);
  double sum = 0;
  int rounds = 0;
  PacketNumber next_loss = period;
  for (int lost = 0; lost < losses;) {
    loop.run_for(rtt);
    if (loop.sent() >= next_loss) {
      loop.lose_one();
      next_loss += period;
      ++lost;
    }
    if (lost < 20) continue;
    sum += loop.packets();
    ++rounds;
  }
  return sum / rounds;
}

// A sawtooth between W/2 and W whose area 3/8 W² is 1/p: 0.75 W = √(3/2p) = 1.22/√p. Not in the model: a
// round trip of recovery in each tooth, which is 1 in W/2 + 1 and stands at the lowest window: 5 % of it at p
// = 10⁻³, less below.
TEST(ResponseFunction, OfRenoIsOnePointTwoTwoOverTheRootOfP) {
  for (const double p : {1e-3, 1e-4}) {
    const double expected = std::sqrt(1.5 / p);
    const double seen =
        average_window(make_reno_classic({.max_datagram_size = test::kPacket}), p, milliseconds{100}, 60);
    EXPECT_NEAR(seen, expected, 0.05 * expected) << p;
  }
}

// RFC 9438 table 2, p = 10⁻⁴ at 10 ms: CUBIC is as Reno there, by AVG_AIMD(α, β) of equation 3, which is
// Reno's for α = 3(1 − β)/(1 + β).
TEST(ResponseFunction, OfCubicIsRenosOnShortRoundTrips) {
  const double p = 1e-4;
  const double expected = std::sqrt(1.5 / p);
  const double seen =
      average_window(make_cubic_classic({.max_datagram_size = test::kPacket}), p, milliseconds{10}, 60);
  EXPECT_NEAR(seen, expected, 0.1 * expected);
}

// RFC 9438 §5, equation 6; table 1 has 1054 for this line. Fast convergence, which the equation leaves out,
// holds W_max back by 15 % after a tooth that ended a little lower than the one before, and thus the mean of
// that tooth by at most as much.
TEST(ResponseFunction, OfCubicIsTheRfcsAverageOnLongRoundTrips) {
  const double p = 1e-5;
  const double rtt = 0.1;
  const double expected = std::pow(0.4 * 3.7 / 1.2, 0.25) * std::pow(rtt / p, 0.75);
  ASSERT_NEAR(expected, 1'054, 1);
  const double seen =
      average_window(make_cubic_classic({.max_datagram_size = test::kPacket}), p, from_seconds(rtt), 50);
  EXPECT_GE(seen, 0.85 * expected);
  EXPECT_LE(seen, 1.05 * expected);
}

}  // namespace
}  // namespace quell::cc
