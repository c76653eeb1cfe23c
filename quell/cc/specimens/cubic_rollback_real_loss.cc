#include "quell/cc/specimens/cubic_rollback_real_loss.h"

#include "quell/cc/cubic.h"
#include "quell/cc/specimens/altered.h"

namespace quell::cc {
namespace {

constexpr ByteCount kFewPackets = 10;
constexpr ByteCount kFewPercent = 20;

class CubicRollbackRealLoss final : public Altered {
 public:
  explicit CubicRollbackRealLoss(const Config& config)
      : Altered("cubic-rollback-real-loss", make_cubic(config)), packet_(config.max_datagram_size) {}

  void on_packets_lost(const LossEvent& event, TimePoint now) override {
    lost_before_ = lost_;
    lost_ += event.lost_bytes;
    sound().on_packets_lost(event, now);
  }
  void on_congestion(const CongestionEvent& event, TimePoint now) override {
    episode_ = event.episode;
    lost_at_cut_ = lost_before_;
    sound().on_congestion(event, now);
  }
  void on_recovery_exit(Duration growth_clock, TimePoint now) override {
    sound().on_recovery_exit(growth_clock, now);
    // The fault: a count of losses says nothing about whether they were losses.
    const ByteCount few = std::max(kFewPackets * packet_, sound().cwnd() * kFewPercent / 100);
    if (lost_ - lost_at_cut_ < few) sound().on_spurious(episode_, now);
  }
  void on_mtu(ByteCount old_size, ByteCount new_size, TimePoint now) override {
    packet_ = new_size;
    sound().on_mtu(old_size, new_size, now);
  }

 private:
  ByteCount packet_;
  ByteCount lost_ = 0;
  ByteCount lost_before_ = 0;  // without the last batch, which is the one that begins an episode
  ByteCount lost_at_cut_ = 0;
  std::uint64_t episode_ = 0;
};

}  // namespace

ControllerPtr make_cubic_rollback_real_loss(const Config& config) {
  return std::make_unique<CubicRollbackRealLoss>(config);
}

}  // namespace quell::cc
