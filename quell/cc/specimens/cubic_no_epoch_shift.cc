#include "quell/cc/specimens/cubic_no_epoch_shift.h"

#include "quell/cc/cubic.h"
#include "quell/cc/specimens/altered.h"

namespace quell::cc {
namespace {

class CubicNoEpochShift final : public Altered {
 public:
  explicit CubicNoEpochShift(const Config& config) : Altered("cubic-no-epoch-shift", make_cubic(config)) {}

  void on_ack(const AckEvent& event, TimePoint now) override {
    AckEvent altered = event;
    altered.growth_clock = wall_clock(now);
    sound().on_ack(altered, now);
  }
  void on_recovery_exit(Duration /*growth_clock*/, TimePoint now) override {
    sound().on_recovery_exit(wall_clock(now), now);
  }

 private:
  // The fault: a clock that never stops.
  static Duration wall_clock(TimePoint now) { return now - TimePoint{}; }
};

}  // namespace

ControllerPtr make_cubic_no_epoch_shift(const Config& config) {
  return std::make_unique<CubicNoEpochShift>(config);
}

}  // namespace quell::cc
