// What does recovery tell those who watch it?
#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "quell/recovery/test_support.h"

namespace quell {
namespace {

using testing::kPacket;
using testing::World;
using Numbers = std::vector<PacketNumber>;

struct Watcher final : trace::Sink {
  std::vector<std::pair<cc::State, std::string>> states;
  Numbers lost;
  Numbers spurious;
  int metrics = 0;
  void congestion_state_updated(const trace::CongestionStateUpdated& event, TimePoint /*now*/) override {
    states.emplace_back(event.to, event.trigger);
  }
  void packet_lost(const trace::PacketLost& event, TimePoint /*now*/) override {
    lost.push_back(event.number);
  }
  void spurious_loss(const trace::SpuriousLoss& event, TimePoint /*now*/) override {
    spurious.push_back(event.number);
  }
  void recovery_metrics(const trace::RecoveryMetrics& /*event*/, TimePoint /*now*/) override { ++metrics; }
};

TEST(RecoveryTrace, WatchersSeeLossesAndTheStatesThatTheyCause) {
  Watcher watcher;
  World w{RecoveryConfig{.max_datagram_size = kPacket, .ecn = false, .pacing = false}, &watcher};
  w.warm_up(milliseconds{40});
  w.send_many(4);
  w.ack(4, 4);
  w.notes.state = cc::State::congestion_avoidance;
  const PacketNumber after = w.send();
  w.ack(2, after);
  w.ack(1, 1);
  using States = std::vector<std::pair<cc::State, std::string>>;
  EXPECT_EQ(watcher.states,
            (States{{cc::State::recovery, "loss"}, {cc::State::congestion_avoidance, "recovery_exit"}}));
  EXPECT_EQ(watcher.lost, Numbers{1});
  EXPECT_EQ(watcher.spurious, Numbers{1});
  EXPECT_EQ(w.recovery.stats().recovery_entries, 1U);
  EXPECT_EQ(w.recovery.stats().recovery_entries_without_cause, 0U);
}

TEST(RecoveryTrace, MetricsComeOncePerEventNotPerPacket) {
  Watcher watcher;
  World w{RecoveryConfig{.max_datagram_size = kPacket, .ecn = false, .pacing = false}, &watcher};
  w.send_many(10);
  w.recovery.on_transmit_ended(TransmitEnd::nothing_to_send, 0, w.now);
  w.recovery.on_transmit_ended(TransmitEnd::nothing_to_send, 0, w.now);
  EXPECT_EQ(watcher.metrics, 1);
  w.ack(0, 9);
  EXPECT_EQ(watcher.metrics, 2);
}

TEST(RecoveryTrace, AControllerThatEntersRecoveryWithoutACauseIsCounted) {
  World w;
  w.notes.traits.owns_recovery_state = true;
  for (int round = 0; round < 3; ++round) {
    w.notes.state = cc::State::recovery;
    w.warm_up(milliseconds{10});
    w.notes.state = cc::State::congestion_avoidance;
    w.warm_up(milliseconds{10});
  }
  EXPECT_EQ(w.recovery.stats().recovery_entries_without_cause, 3U);
}

}  // namespace
}  // namespace quell
