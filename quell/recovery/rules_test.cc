// Do the small rules say what their sections say, at their edges?
#include "quell/recovery/rules.h"

#include <gtest/gtest.h>

namespace quell::rules {
namespace {

TEST(Rules, ThePtoDoublesAndSaturatesAtADayHoweverLongTheSilence) {
  EXPECT_EQ(backed_off(milliseconds{40}, 0), milliseconds{40});
  EXPECT_EQ(backed_off(milliseconds{40}, 10), milliseconds{40} * 1024);
  for (std::uint32_t count = 22; count < 200; ++count)
    EXPECT_EQ(backed_off(milliseconds{40}, count), hours{24});
  EXPECT_EQ(backed_off(milliseconds{40}, ~std::uint32_t{0}), hours{24});
}

TEST(Rules, TheFloorIsTwoPacketsUnlessAControllerWantsMore) {
  EXPECT_EQ(least_window(0, 1200), 2400U);
  EXPECT_EQ(least_window(1, 1200), 2400U);
  EXPECT_EQ(least_window(4, 1200), 4800U);
}

TEST(Rules, TheNextNumberHasNotBeenSent) {
  EXPECT_FALSE(was_never_sent(6, 7));
  EXPECT_TRUE(was_never_sent(7, 7));
}

TEST(Rules, AClaimedDelayTakesNothingOffMinRtt) {
  EXPECT_EQ(min_rtt_sample(milliseconds{40}, milliseconds{25}), milliseconds{40});
}

}  // namespace
}  // namespace quell::rules
