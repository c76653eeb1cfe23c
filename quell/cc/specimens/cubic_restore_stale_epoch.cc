#include "quell/cc/specimens/cubic_restore_stale_epoch.h"

#include "quell/cc/cubic.h"
#include "quell/cc/specimens/altered.h"

namespace quell::cc {
namespace {

class CubicRestoreStaleEpoch final : public Altered {
 public:
  explicit CubicRestoreStaleEpoch(const Config& config)
      : Altered("cubic-restore-stale-epoch", make_cubic(config)) {}

  void on_idle_restart(Duration gap, TimePoint now) override {
    idle_since_cut_ += gap;
    sound().on_idle_restart(gap, now);
  }
  void on_congestion(const CongestionEvent& event, TimePoint now) override {
    idle_since_cut_ = Duration{0};
    sound().on_congestion(event, now);
  }
  void on_spurious(std::uint64_t episode, TimePoint now) override {
    // The fault: the shifts since the cut are forgotten with it, so the epoch lies too far in the past.
    back_again_ += std::exchange(idle_since_cut_, Duration{0});
    sound().on_spurious(episode, now);
  }
  void on_ack(const AckEvent& event, TimePoint now) override {
    AckEvent altered = event;
    altered.growth_clock += back_again_;
    sound().on_ack(altered, now);
  }
  void on_recovery_exit(Duration growth_clock, TimePoint now) override {
    sound().on_recovery_exit(growth_clock + back_again_, now);
  }

 private:
  Duration idle_since_cut_{0};
  Duration back_again_{0};  // idle time that has come back onto the curve
};

}  // namespace

ControllerPtr make_cubic_restore_stale_epoch(const Config& config) {
  return std::make_unique<CubicRestoreStaleEpoch>(config);
}

}  // namespace quell::cc
