#include "quell/cc/specimens/cubic_restore_stale_epoch.h"

#include "quell/cc/cubic.h"
#include "quell/cc/specimens/altered.h"

namespace quell::cc {
namespace {

class CubicRestoreStaleEpoch final : public Altered {
 public:
  explicit CubicRestoreStaleEpoch(const Config& config)
      : Altered("cubic-restore-stale-epoch", make_cubic(config)) {}

  void on_sent(const SentEvent& event, TimePoint now) override {
    if (event.in_flight_before == 0 && last_activity_) idle_ += now - *last_activity_;
    last_activity_ = now;
    sound().on_sent(event, now);
  }
  void on_ack(const AckEvent& event, TimePoint now) override {
    last_activity_ = now;
    AckEvent altered = event;
    altered.growth_clock = clock(now);
    sound().on_ack(altered, now);
  }
  void on_congestion(const CongestionEvent& event, TimePoint now) override {
    if (event.cause == CongestionCause::loss) idle_at_cut_ = idle_;
    sound().on_congestion(event, now);
  }
  void on_recovery_exit(Duration /*growth_clock*/, TimePoint now) override {
    sound().on_recovery_exit(clock(now), now);
  }
  void on_spurious(std::uint64_t episode, TimePoint now) override {
    // The fault: all that was shifted since the cut is forgotten with it.
    idle_ = idle_at_cut_;
    sound().on_spurious(episode, now);
  }

 private:
  Duration clock(TimePoint now) const { return now - TimePoint{} - idle_; }

  std::optional<TimePoint> last_activity_;  // the later of the last send and the last ACK
  Duration idle_{0};                        // how far the epoch has been moved, in all
  Duration idle_at_cut_{0};
};

}  // namespace

ControllerPtr make_cubic_restore_stale_epoch(const Config& config) {
  return std::make_unique<CubicRestoreStaleEpoch>(config);
}

}  // namespace quell::cc
