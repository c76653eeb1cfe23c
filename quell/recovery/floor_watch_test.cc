#include "quell/recovery/floor_watch.h"

#include <gtest/gtest.h>

namespace quell {
namespace {

TEST(FloorWatch, CountsRoundTripsThatStayedAtTheFloor) {
  FloorWatch watch;
  watch.on_ack(0, 2, true);  // the first round begins here
  EXPECT_FALSE(watch.on_ack(1, 3, true));
  EXPECT_TRUE(watch.on_ack(2, 4, true));
  EXPECT_FALSE(watch.on_ack(3, 5, true));
  EXPECT_TRUE(watch.on_ack(4, 6, true));
}

TEST(FloorWatch, OneMomentAboveTheFloorSparesTheRound) {
  FloorWatch watch;
  watch.on_ack(0, 2, true);
  watch.observe(false);
  EXPECT_FALSE(watch.on_ack(2, 4, true));
  EXPECT_TRUE(watch.on_ack(4, 6, true));
}

TEST(FloorWatch, ALossSparesTheRound) {
  FloorWatch watch;
  watch.on_ack(0, 2, true);
  watch.on_loss_or_mark();
  EXPECT_FALSE(watch.on_ack(2, 4, true));
}

}  // namespace
}  // namespace quell
