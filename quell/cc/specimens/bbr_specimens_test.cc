// Are the faults of BBR alive, and is our own BBRv3 free of them on the very same path?
#include <gtest/gtest.h>

#include "quell/cc/bbr3.h"
#include "quell/cc/bottleneck_for_test.h"
#include "quell/cc/specimens/bbr_full_pipe_while_app_limited.h"
#include "quell/cc/specimens/bbr_probe_rtt_on_idle.h"
#include "quell/cc/specimens/zero_pacing_rate.h"

namespace quell::cc {
namespace {

using test::Bottleneck;
using test::Path;
using Make = ControllerPtr (*)(const Config&);

constexpr Config kConfig{.max_datagram_size = Bottleneck::kPacket};
const Path kFast{.rate = Rate::bits_per_second(100e6), .buffer = 500'000};

// Two seconds at 2 Mbit/s, then everything there is; the second half of the first second of that. Startup
// needs 6 doublings of 40 ms. ProbeBW paces at 1.25 × 0.99 of what it measures 1.5 round trips later, so it
// grows by 1.2375^(2/3) = 1.15 in each of 12 to 25 rounds: 12 to 66 Mbit/s.
double share_used_when_the_bulk_comes(Make make) {
  const ControllerPtr controller = make(kConfig);
  Bottleneck net{*controller, kFast};
  net.application = Rate::bits_per_second(2e6);
  net.run_for(seconds{2});
  net.application = Rate::unlimited();
  net.run_for(milliseconds{500});
  return net.goodput_for(milliseconds{500}) / 100e6;
}

TEST(BbrFullPipeWhileAppLimited, LeavesStartupAtTheApplicationsRate) {
  EXPECT_GT(share_used_when_the_bulk_comes(make_bbr3), 0.9);
  EXPECT_LT(share_used_when_the_bulk_comes(make_bbr_full_pipe_while_app_limited), 0.5);
}

// What arrives in the 200 ms after six seconds of silence.
double share_used_after_silence(Make make) {
  const ControllerPtr controller = make(kConfig);
  Bottleneck net{*controller, kFast};
  net.run_for(seconds{2});
  net.application = Rate{};
  net.run_for(seconds{6});
  net.application = Rate::unlimited();
  net.run_for(net.path.rtt * 2);
  return net.goodput_for(milliseconds{160}) / 100e6;
}

TEST(BbrProbeRttOnIdle, StartsAgainAtHalfAWindow) {
  EXPECT_GT(share_used_after_silence(make_bbr3), 0.9);
  EXPECT_LT(share_used_after_silence(make_bbr_probe_rtt_on_idle), 0.6);
}

double share_used_of_a_slow_path(Make make) {
  const ControllerPtr controller = make(kConfig);
  Bottleneck net{*controller, Path{.rate = Rate::bits_per_second(4e6), .buffer = 20'000}};
  net.run_until([&] { return controller->pacing_rate()->is_zero(); }, seconds{5});
  return controller->pacing_rate()->is_zero() ? 0 : net.goodput_for(seconds{5}) / 4e6;
}

TEST(ZeroPacingRate, AsksForNothing) {
  EXPECT_GT(share_used_of_a_slow_path(make_bbr3), 0.9);
  EXPECT_EQ(share_used_of_a_slow_path(make_zero_pacing_rate), 0);
}

}  // namespace
}  // namespace quell::cc
