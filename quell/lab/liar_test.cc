#include "quell/lab/liar.h"

#include <gtest/gtest.h>

#include <string>

#include "quell/lab/run.h"
#include "quell/lab/scenario_toml.h"
#include "quell/wire/error.h"

namespace quell::lab {
namespace {

RunResult run_with(const std::string& lies) {
  const Scenario scenario = parse_scenario(R"(name = "lies"
title = "Lies"
controllers = ["reno"]
[path]
rtt = "40 ms"
rate = "1 Gbit/s"
[load]
kind = "stream"
bytes = "400 kB"
[limits]
deadline = "10 s"
)" + lies,
                                           "lies.toml")
                                .value();
  return run_once({.scenario = &scenario, .variant = 0, .controller = "reno", .seed = 1, .qlog_dir = {}});
}

TEST(Liar, AnAckOfAPacketNeverSentClosesTheConnectionOnThatFrame) {
  const RunResult run = run_with("[lies]\nafter = \"60 ms\"\nbeyond = 100000\n");
  EXPECT_FALSE(run.measures.completed);
  EXPECT_EQ(run.measures.value("close_code"), static_cast<double>(TransportError::protocol_violation));
  EXPECT_EQ(run.measures.value("lie_close_s"), 0);
  EXPECT_EQ(run.measures.value("lie_window_change"), 0);
  EXPECT_TRUE(run.broken_laws.empty());
}

TEST(Liar, AClaimedDelayIsTakenOffNoRoundTripThatItDoesNotFitInto) {
  const RunResult honest = run_with("");
  const RunResult run = run_with("[lies]\nack_delay = \"10 s\"\n");
  EXPECT_TRUE(run.measures.completed);
  EXPECT_GE(run.measures.value("least_min_rtt_s"), 0.040);
  // A claim that would bring a sample below min_rtt is not taken off: only the longer ACKs take their time.
  EXPECT_NEAR(run.measures.value("completion_s"), honest.measures.value("completion_s"), 1e-4);
}

TEST(Liar, HonestAcksAreLeftAsTheyAre) {
  // No gap ever shows on a path without loss: nothing to lie about, and the run is the honest one.
  const RunResult honest = run_with("");
  const RunResult run = run_with("[lies]\nfills_gaps = true\nafter = \"9 s\"\n");
  EXPECT_EQ(run.digest, honest.digest);
}

}  // namespace
}  // namespace quell::lab
