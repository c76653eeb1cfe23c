#include "quell/lab/conduct.h"

#include <gtest/gtest.h>

#include "quell/wire/transport_parameters.h"

namespace quell::lab {
namespace {

constexpr TimePoint kStart{seconds{1}};

TimePoint at(int ms) {
  return kStart + milliseconds{ms};
}

// A sender whose handshake is confirmed at 0 ms, with an RTT of 40 ms that does not vary and a window of 100
// packets of 1000 bytes.
class Story {
 public:
  Story() {
    TransportParameters peer;
    peer.max_ack_delay = milliseconds{25};
    watch.parameters_set({.is_local = false, .parameters = &peer}, at(0));
    watch.handshake_progress({.milestone = trace::HandshakeProgress::Milestone::confirmed, .alpn = {}},
                             at(0));
    metrics(0, 0);
  }
  void metrics(std::uint32_t pto_count, int ms, Rate pacing_rate = Rate::bytes_per_second(1'000'000)) {
    trace::RecoveryMetrics metrics;
    metrics.min_rtt = metrics.smoothed_rtt = metrics.latest_rtt = milliseconds{40};
    metrics.pto_count = pto_count;
    metrics.cwnd = 100'000;
    metrics.max_datagram_size = 1000;
    metrics.pacing_rate = pacing_rate;
    watch.recovery_metrics(metrics, at(ms));
  }
  void send(int ms, bool is_probe = false) {
    trace::Packet packet;
    packet.size = 1000;
    packet.is_in_flight = true;
    packet.is_pto_probe = is_probe;
    watch.packet_sent(packet, at(ms));
  }
  std::optional<PacketNumber> no_lie;
  Conduct watch{no_lie};
};

TEST(Conduct, ComparesEachGapBetweenProbesWithTheOneBefore) {
  Story story;
  story.send(0);
  for (const auto& [count, ms] : {std::pair{1, 100}, std::pair{2, 290}, std::pair{3, 700}}) {
    story.metrics(static_cast<std::uint32_t>(count), ms);
    story.send(ms, true);
    story.send(ms, true);  // the second of the pair
  }
  EXPECT_EQ(story.watch.probes().size(), 3U);
  EXPECT_NEAR(story.watch.least_probe_growth(), 1.9, 1e-9);
  EXPECT_NEAR(story.watch.most_probe_growth(), 410.0 / 190, 1e-9);
  // RFC 9002 §6.2.1: 40 + max(0, 1) + 25 ms, times 2 for each PTO so far.
  EXPECT_NEAR(to_seconds(story.watch.probes().back().period), 0.066 * 8, 1e-6);
}

TEST(Conduct, AnAnswerEndsTheGrowthOfTheGaps) {
  Story story;
  story.send(0);
  story.metrics(1, 100);
  story.send(100, true);
  story.metrics(0, 150);  // an ACK
  story.send(160);
  story.metrics(1, 1000);
  story.send(1000, true);
  EXPECT_EQ(story.watch.most_probe_growth(), 0);
}

TEST(Conduct, ABurstIsWhatLeavesBeforeItsRateAllows) {
  Story story;  // 1 packet per ms; at once: 10 packets, since 2 ms of rate are but 2
  for (int i = 0; i < 10; ++i) story.send(0);
  EXPECT_DOUBLE_EQ(story.watch.burst_share(), 1);
  for (int ms = 1; ms < 50; ++ms) story.send(ms);
  EXPECT_DOUBLE_EQ(story.watch.burst_share(), 1);
  story.send(49);
  EXPECT_DOUBLE_EQ(story.watch.burst_share(), 1.1);
}

TEST(Conduct, AFastPathMayBurstTwoMillisecondsOfItsRate) {
  Story story;
  story.metrics(0, 0, Rate::bytes_per_second(50'000'000));  // 100 packets in 2 ms
  for (int i = 0; i < 50; ++i) story.send(0);
  EXPECT_DOUBLE_EQ(story.watch.burst_share(), 0.5);
}

TEST(Conduct, AProbeIsNoBurst) {
  Story story;
  for (int i = 0; i < 30; ++i) story.send(0, true);
  EXPECT_EQ(story.watch.burst_share(), 0);
}

TEST(Conduct, TellsForHowLongEachReasonHeldTheSender) {
  Story story;
  using trace::TransmitEnd;
  story.watch.transmit_ended({TransmitEnd::window}, at(0));
  story.watch.transmit_ended({TransmitEnd::flow_control}, at(30));
  story.watch.transmit_ended({TransmitEnd::nothing_to_send}, at(40));
  const auto of = [](const auto& held, TransmitEnd reason) { return held[static_cast<std::size_t>(reason)]; };
  const auto cut_off = story.watch.held(false, at(100));
  EXPECT_EQ(of(cut_off, TransmitEnd::window), milliseconds{30});
  EXPECT_EQ(of(cut_off, TransmitEnd::flow_control), milliseconds{10});
  EXPECT_EQ(of(cut_off, TransmitEnd::nothing_to_send), milliseconds{60});
  // All was sent: waiting for the last ACK is no limit.
  EXPECT_EQ(of(story.watch.held(true, at(100)), TransmitEnd::nothing_to_send), Duration{0});
}

TEST(Conduct, TheWindowsRateIsTheMeanOfWindowOverRoundTrip) {
  Story story;
  EXPECT_NEAR(story.watch.window_rate(at(200)).bytes_per_second(), 100'000 / 0.040, 1);
}

}  // namespace
}  // namespace quell::lab
