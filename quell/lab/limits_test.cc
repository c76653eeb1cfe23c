#include "quell/lab/limits.h"

#include <gtest/gtest.h>

#include <string>

#include "quell/lab/run.h"
#include "quell/lab/scenario_toml.h"

namespace quell::lab {
namespace {

// 4 MB over 20 ms.
Measures measures_with(const std::string& rate, const std::string& controller, const std::string& more = {}) {
  const Scenario scenario = parse_scenario(std::string{R"(name = "limits"
title = "Limits"
controllers = ["reno"]
[path]
rtt = "20 ms"
)"} + "rate = \"" + rate + R"("
queue = "250 kB"
[load]
kind = "stream"
bytes = "4 MB"
)" + more,
                                           "limits.toml")
                                .value();
  return run_once({.scenario = &scenario, .variant = 0, .controller = controller, .seed = 1, .qlog_dir = {}})
      .measures;
}

TEST(Limits, AWindowBelowTheBdpBinds) {
  const Measures m = measures_with("100 Mbit/s", "fixed-window");  // 32 packets: a fifth of the BDP
  EXPECT_EQ(binding_limit(m), Limit::window);
  EXPECT_GE(m.value("window_limited_share"), 0.95);
  // 32 packets of 1452 bytes per 20 ms are 2.3 of 12.5 MB/s.
  EXPECT_NEAR(m.value("link_busy_share"), 0.19, 0.02);
  EXPECT_GE(m.value("limit_used_share"), 0.95);
  EXPECT_LE(m.value("limit_used_share"), 1.02);
}

TEST(Limits, AFullLinkBindsWhateverHoldsTheSender) {
  const Measures m = measures_with("10 Mbit/s", "fixed-window");  // the BDP is 17 packets
  EXPECT_EQ(binding_limit(m), Limit::link);
  EXPECT_TRUE(describe_limits(m).starts_with("link")) << describe_limits(m);
}

TEST(Limits, AProcessorThatIsAlwaysBusyBinds) {
  // 200 us per datagram: 5000 per second, 58 Mbit/s.
  const Measures m = measures_with("100 Mbit/s", "cubic", "[host.server]\ndatagram_cost = \"200 us\"\n");
  EXPECT_EQ(binding_limit(m), Limit::cpu);
}

TEST(Limits, AnApplicationThatFallsSilentBinds) {
  const Measures m = measures_with("100 Mbit/s", "cubic", "pause_after = \"50 ms\"\npause_for = \"10 s\"\n");
  EXPECT_EQ(binding_limit(m), Limit::application);
}

}  // namespace
}  // namespace quell::lab
