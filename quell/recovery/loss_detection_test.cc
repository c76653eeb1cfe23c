#include "quell/recovery/loss_detection.h"

#include <gtest/gtest.h>

#include "quell/recovery/test_support.h"

namespace quell {
namespace {

using testing::Ack;
using testing::at;

struct Losses : ::testing::Test {
  SentPackets packets;
  std::vector<LostNumber> lost;

  void send(TimePoint sent_at, bool is_in_flight = true) {
    SentPacket& packet = packets.add({});
    packet.sent_at = sent_at;
    packet.is_in_flight = is_in_flight;
  }
  void ack(PacketNumber number) {
    std::vector<Range> newly;
    std::vector<Range> late;
    packets.take_acked(Ack{{number, number}}.frame(), newly, late);
  }
  std::vector<PacketNumber> numbers() const {
    std::vector<PacketNumber> out;
    for (const LostNumber& l : lost) out.push_back(l.number);
    return out;
  }
};

TEST_F(Losses, APacketIsLostWhenOneThreeLaterArrives) {
  for (int i = 0; i < 5; ++i) send(at(seconds{1}));
  ack(3);
  find_lost(packets, 3, milliseconds{10}, lost, at(seconds{1}));
  EXPECT_EQ(numbers(), (std::vector<PacketNumber>{0}));
  EXPECT_EQ(lost[0].trigger, trace::LossTrigger::reordering_threshold);
}

TEST_F(Losses, APacketIsLostByTimeOnceALaterOneArrived) {
  send(at(seconds{1}));
  send(at(seconds{1} + milliseconds{4}));
  send(at(seconds{1} + milliseconds{5}));
  ack(2);
  const auto next = find_lost(packets, 2, milliseconds{10}, lost, at(seconds{1} + milliseconds{10}));
  EXPECT_EQ(numbers(), (std::vector<PacketNumber>{0}));
  EXPECT_EQ(lost[0].trigger, trace::LossTrigger::time_threshold);
  EXPECT_EQ(next, at(seconds{1} + milliseconds{14}));
}

TEST_F(Losses, NothingIsLostBeforeALaterPacketArrives) {
  for (int i = 0; i < 5; ++i) send(at(seconds{1}));
  ack(0);
  const auto next = find_lost(packets, 0, milliseconds{10}, lost, at(hours{1}));
  EXPECT_TRUE(lost.empty());
  EXPECT_FALSE(next);
}

TEST_F(Losses, AckOnlyPacketsArmNoTimer) {
  send(at(seconds{1}), /*is_in_flight=*/false);
  send(at(seconds{1}));
  ack(1);
  EXPECT_FALSE(find_lost(packets, 1, milliseconds{10}, lost, at(seconds{1})));
}

TEST_F(Losses, PacketsAlreadySettledAreNotLostAgain) {
  for (int i = 0; i < 10; ++i) send(at(seconds{1}));
  ack(9);
  find_lost(packets, 9, milliseconds{10}, lost, at(seconds{1}));
  ASSERT_EQ(lost.size(), 7U);
  for (const LostNumber& l : lost) packets.mark_lost(l.number, at(seconds{1}));
  lost.clear();
  find_lost(packets, 9, milliseconds{10}, lost, at(seconds{1}));
  EXPECT_TRUE(lost.empty());
}

TEST(LossDelay, IsNineEighthsOfTheLongerRttAndAtLeastTheGranularity) {
  RttEstimator rtt{milliseconds{333}};
  rtt.add_sample(milliseconds{80}, {}, at(seconds{1}));
  EXPECT_EQ(loss_delay(rtt), milliseconds{90});
  rtt.add_sample(milliseconds{160}, {}, at(seconds{2}));
  EXPECT_EQ(loss_delay(rtt), milliseconds{180});
  RttEstimator fast{milliseconds{333}};
  fast.add_sample(microseconds{50}, {}, at(seconds{1}));
  EXPECT_EQ(loss_delay(fast), kGranularity);
}

}  // namespace
}  // namespace quell
