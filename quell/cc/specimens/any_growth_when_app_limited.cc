#include "quell/cc/specimens/any_growth_when_app_limited.h"

#include "quell/cc/reno.h"
#include "quell/cc/specimens/altered.h"

namespace quell::cc {
namespace {

class AnyGrowthWhenAppLimited final : public Altered {
 public:
  explicit AnyGrowthWhenAppLimited(const Config& config)
      : Altered("any-growth-when-app-limited", make_reno(config)) {}

  void on_ack(const AckEvent& event, TimePoint now) override {
    AckEvent altered = event;
    // The fault: whatever was in flight is taken for a full window.
    altered.growable_bytes = event.in_recovery ? 0 : event.acked_bytes;
    altered.in_flight_before = std::max(event.in_flight_before, sound().cwnd());
    sound().on_ack(altered, now);
  }
};

}  // namespace

ControllerPtr make_any_growth_when_app_limited(const Config& config) {
  return std::make_unique<AnyGrowthWhenAppLimited>(config);
}

}  // namespace quell::cc
