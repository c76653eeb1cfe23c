#include "quell/recovery/rtt.h"

#include <gtest/gtest.h>

namespace quell {
namespace {

TimePoint at(Duration d) {
  return TimePoint{d};
}

TEST(Rtt, StartsFromTheInitialRttWithAPtoOfOneSecond) {
  const RttEstimator rtt{milliseconds{333}};
  EXPECT_FALSE(rtt.has_sample());
  EXPECT_EQ(rtt.smoothed(), milliseconds{333});
  EXPECT_EQ(rtt.variance(), microseconds{166'500});
  EXPECT_EQ(rtt.pto_base(), milliseconds{999});  // 333 + 4 × 166.5 (RFC 9002 §6.2.2)
}

TEST(Rtt, TheFirstSampleReplacesTheInitialRtt) {
  RttEstimator rtt{milliseconds{333}};
  rtt.add_sample(milliseconds{40}, milliseconds{30}, at(seconds{2}));
  EXPECT_EQ(rtt.min(), milliseconds{40});
  EXPECT_EQ(rtt.smoothed(), milliseconds{40});
  EXPECT_EQ(rtt.variance(), milliseconds{20});
  EXPECT_EQ(rtt.first_sample_at(), at(seconds{2}));
}

TEST(Rtt, LaterSamplesMoveItByAnEighthAndAQuarter) {
  RttEstimator rtt{milliseconds{333}};
  rtt.add_sample(milliseconds{40}, {}, at(seconds{1}));
  rtt.add_sample(milliseconds{80}, {}, at(seconds{2}));
  EXPECT_EQ(rtt.smoothed(), milliseconds{45});  // 7/8 × 40 + 1/8 × 80
  EXPECT_EQ(rtt.variance(), milliseconds{25});  // 3/4 × 20 + 1/4 × |40 − 80|
  EXPECT_EQ(rtt.latest(), milliseconds{80});
  EXPECT_EQ(rtt.min(), milliseconds{40});
}

TEST(Rtt, AnAckDelayIsSubtractedWhenTheRestIsNotBelowMinRtt) {
  RttEstimator rtt{milliseconds{333}};
  rtt.add_sample(milliseconds{40}, {}, at(seconds{1}));
  rtt.add_sample(milliseconds{80}, milliseconds{40}, at(seconds{2}));
  EXPECT_EQ(rtt.smoothed(), milliseconds{40});
  rtt.add_sample(milliseconds{80}, milliseconds{41}, at(seconds{3}));
  EXPECT_EQ(rtt.smoothed(), milliseconds{45});
}

TEST(Rtt, MinRttIgnoresAckDelay) {
  RttEstimator rtt{milliseconds{333}};
  rtt.add_sample(milliseconds{40}, milliseconds{39}, at(seconds{1}));
  rtt.add_sample(milliseconds{39}, milliseconds{38}, at(seconds{2}));
  EXPECT_EQ(rtt.min(), milliseconds{39});
}

TEST(Rtt, AbsurdClaimsOfAckDelayChangeNothing) {
  RttEstimator rtt{milliseconds{333}};
  rtt.add_sample(milliseconds{40}, Duration::max(), at(seconds{1}));
  rtt.add_sample(milliseconds{40}, Duration::max(), at(seconds{2}));
  EXPECT_EQ(rtt.smoothed(), milliseconds{40});
}

TEST(Rtt, PersistentCongestionRestartsMinRttFromTheNewestSample) {
  RttEstimator rtt{milliseconds{333}};
  rtt.add_sample(milliseconds{10}, {}, at(seconds{1}));
  rtt.add_sample(milliseconds{90}, {}, at(seconds{2}));
  rtt.on_persistent_congestion();
  EXPECT_EQ(rtt.min(), milliseconds{90});
}

TEST(Rtt, ARoundTripOfNoTimeStillCountsAsASample) {
  RttEstimator rtt{milliseconds{333}};
  rtt.add_sample(Duration{0}, {}, at(seconds{1}));
  EXPECT_TRUE(rtt.has_sample());
  EXPECT_GT(rtt.smoothed(), Duration{0});
  EXPECT_GE(rtt.pto_base(), kGranularity);
}

}  // namespace
}  // namespace quell
