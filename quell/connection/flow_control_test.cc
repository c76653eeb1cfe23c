#include "quell/connection/flow_control.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

namespace quell {
namespace {

TEST(SendCredit, TellsOfABlockOncePerLimit) {
  SendCredit credit{100};
  EXPECT_FALSE(credit.wants_blocked_frame());
  credit.spend(100);
  EXPECT_TRUE(credit.wants_blocked_frame());
  credit.blocked_frame_sent();
  EXPECT_FALSE(credit.wants_blocked_frame());
  credit.raise(150);
  credit.spend(50);
  EXPECT_TRUE(credit.wants_blocked_frame());
}

TEST(SendCredit, ALimitNeverFalls) {
  SendCredit credit{100};
  EXPECT_FALSE(credit.raise(50));
  EXPECT_EQ(credit.left(), 100U);
}

TEST(ReceiveWindow, RefusesTheFirstByteBeyondItsLimit) {
  ReceiveWindow window{100};
  EXPECT_TRUE(window.receive_up_to(100));
  EXPECT_FALSE(window.receive_up_to(101));
}

// A sender that obeys never gets stuck and is never refused, however the application reads.
RC_GTEST_PROP(FlowControl, AnObedientSenderIsNeverRefusedNorStarved, ()) {
  const auto size = *rc::gen::inRange<ByteCount>(2, 10000);
  ReceiveWindow window{size};
  SendCredit credit{size};
  ByteCount unread = 0;
  const auto steps = *rc::gen::inRange(1, 300);
  for (int step = 0; step < steps; ++step) {
    if (credit.left() > 0) {
      const auto bytes = *rc::gen::inRange<ByteCount>(1, credit.left() + 1);
      credit.spend(bytes);
      unread += bytes;
      RC_ASSERT(window.receive_up_to(credit.used()));
    }
    RC_ASSERT(unread <= size);
    const auto read = *rc::gen::inRange<ByteCount>(0, unread + 1);
    window.consume(read);
    unread -= read;
    if (window.wants_update()) credit.raise(window.slide());
    // Everything was read, so there must be credit: all of the window but a 32nd.
    if (unread == 0) RC_ASSERT(credit.left() >= size - size / 32);
  }
}

}  // namespace
}  // namespace quell
