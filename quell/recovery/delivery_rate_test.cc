#include "quell/recovery/delivery_rate.h"

#include <gtest/gtest.h>

namespace quell {
namespace {

constexpr std::uint32_t kSize = 1000;
TimePoint at(Duration d) {
  return TimePoint{d};
}

struct Sampler : ::testing::Test {
  DeliverySampler sampler;
  std::vector<SentPacket> packets;

  void send(TimePoint sent_at) {
    SentPacket packet;
    packet.size = kSize;
    packet.sent_at = sent_at;
    sampler.on_sent(packet, packets.empty());
    packets.push_back(packet);
  }
};

TEST_F(Sampler, MeasuresTheRateAtWhichPacketsArriveNotThatOfSending) {
  // Ten packets at once, acknowledged one per millisecond after a round trip of 10 ms.
  for (int i = 0; i < 10; ++i) send(at(seconds{1}));
  cc::DeliveryRateSample sample;
  for (std::size_t i = 0; i < 10; ++i) {
    sampler.on_acked(packets[i], at(seconds{1} + milliseconds{10 + i}));
    sample = sampler.take_sample(milliseconds{10}, 0);
  }
  EXPECT_EQ(sample.delivered, 10 * kSize);
  EXPECT_EQ(sample.interval, milliseconds{19});
}

TEST_F(Sampler, InSteadyStateTheSampleIsTheBottleneckRate) {
  // One packet per ms, RTT 10 ms: delivered between the send and the ACK of a packet are the 10 before it and
  // itself.
  cc::DeliveryRateSample sample;
  for (std::size_t ms = 0; ms < 100; ++ms) {
    if (ms >= 10) {
      sampler.on_acked(packets[ms - 10], at(seconds{1} + milliseconds{ms}));
      sample = sampler.take_sample(milliseconds{10}, 0);
    }
    send(at(seconds{1} + milliseconds{ms}));
  }
  EXPECT_EQ(sample.delivered, 10 * kSize);
  EXPECT_EQ(sample.interval, milliseconds{10});
  EXPECT_DOUBLE_EQ(sample.rate.bytes_per_second(), 1e6);
}

TEST_F(Sampler, CompressedAcksGiveNoSample) {
  send(at(seconds{1}));
  sampler.on_acked(packets[0], at(seconds{1} + milliseconds{3}));
  EXPECT_EQ(sampler.take_sample(milliseconds{10}, 0).interval, Duration{0});
}

TEST_F(Sampler, TheBubbleOfAnIdleApplicationIsMarkedUntilItHasPassed) {
  send(at(seconds{1}));
  sampler.mark_app_limited(kSize);
  send(at(seconds{1} + milliseconds{1}));
  send(at(seconds{1} + milliseconds{2}));
  EXPECT_TRUE(packets[1].is_app_limited);
  for (const SentPacket& packet : packets) sampler.on_acked(packet, at(seconds{1} + milliseconds{20}));
  EXPECT_TRUE(sampler.take_sample(milliseconds{10}, 0).is_app_limited);
  EXPECT_FALSE(sampler.is_app_limited());
}

TEST_F(Sampler, NoAckNoSample) {
  EXPECT_EQ(sampler.take_sample(milliseconds{1}, 0).interval, Duration{0});
}

}  // namespace
}  // namespace quell
