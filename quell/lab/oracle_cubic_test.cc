// Does the oracle give the figures that RFC 9438 lets one compute by hand?
#include "quell/lab/oracle_cubic.h"

#include <gtest/gtest.h>

#include <cmath>

namespace quell::lab {
namespace {

// One ACK per segment, a round trip's worth of them spread over it.
void pass(OracleCubic& oracle, double& t, double until, double rtt) {
  while (t < until) {
    t += rtt / oracle.cwnd();
    oracle.ack(1, t, rtt);
  }
}

// K = cbrt((100 - 70) / 0.4) = 4.217 s; from there on the curve is at 100 for more than a second.
TEST(OracleCubic, IsBackAtItsLimitAfterK) {
  OracleCubic oracle{100};
  oracle.congestion(true);
  EXPECT_DOUBLE_EQ(oracle.cwnd(), 70);
  double t = 1000;
  oracle.begin_stage(t);
  pass(oracle, t, 1004.217, 0.1);
  EXPECT_NEAR(oracle.cwnd(), 100, 0.1);
  pass(oracle, t, 1005.2, 0.1);
  EXPECT_NEAR(oracle.cwnd(), 100 + 0.4 * std::pow(1.083, 3), 0.2);  // it aims an RTT ahead
}

// From 2 segments after a congestion event at 2: one segment per round trip (RFC 9438 §4.3, α = 1 from
// cwnd_prior on).
TEST(OracleCubic, GrowsLikeRenoWhereThatIsMore) {
  OracleCubic oracle{2};
  oracle.congestion(false);
  EXPECT_DOUBLE_EQ(oracle.cwnd(), 2);
  double t = 0;
  pass(oracle, t, 0.4, 0.01);
  EXPECT_NEAR(oracle.cwnd(), 42, 1.5);
}

TEST(OracleCubic, ConvergesFastWhenItsLimitFalls) {
  OracleCubic oracle{100};
  oracle.congestion(false);
  oracle.congestion(false);  // at 70, below the last W_max of 100
  EXPECT_DOUBLE_EQ(oracle.cwnd(), 49);
  double t = 0;
  oracle.begin_stage(t);
  // The plateau is 70 × 0.85 = 59.5: K = cbrt(10.5 / 0.4) = 2.972 s.
  pass(oracle, t, 2.972, 0.2);
  EXPECT_NEAR(oracle.cwnd(), 59.5, 0.2);
}

TEST(OracleCubic, TakesAFalseCutBackWholly) {
  OracleCubic oracle{100};
  oracle.congestion(true);
  double t = 0;
  oracle.begin_stage(t);
  pass(oracle, t, 2, 0.1);
  OracleCubic twin = oracle;
  twin.congestion(true);
  twin.spurious();
  EXPECT_DOUBLE_EQ(twin.cwnd(), oracle.cwnd());
  double u = t;
  pass(oracle, t, 8, 0.1);
  pass(twin, u, 8, 0.1);
  EXPECT_DOUBLE_EQ(twin.cwnd(), oracle.cwnd());
}

TEST(OracleCubic, KeepsACutThatWasDue) {
  OracleCubic oracle{100};
  oracle.congestion(false);
  oracle.spurious();
  EXPECT_DOUBLE_EQ(oracle.cwnd(), 70);
}

}  // namespace
}  // namespace quell::lab
