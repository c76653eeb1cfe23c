#include "quell/cc/specimens/hystart_one_sample.h"

#include <algorithm>

#include "quell/cc/hystart.h"
#include "quell/cc/loss_based.h"
#include "quell/cc/reno.h"
#include "quell/cc/slow_start.h"

namespace quell::cc {
namespace {

constexpr Traits kTraits{.name = "hystart-one-sample", .wants_prr = true};

class OneSample {
 public:
  explicit OneSample(const Config& /*config*/) {}

  void on_sent(const SentEvent& /*event*/) {}
  double on_ack(Window& window, const AckEvent& event) {
    const Duration thresh = std::clamp(event.rtt.min / kMinRttDivisor, kMinRttThresh, kMaxRttThresh);
    // The fault: a single sample decides, and for good.
    is_over_ = is_over_ || (event.rtt.min > Duration{0} && event.rtt.latest >= event.rtt.min + thresh);
    return is_over_ ? 0 : grow_classically(window, static_cast<double>(event.growable_bytes));
  }
  bool is_over() const { return is_over_; }
  State state() const { return State::slow_start; }
  void restart() { is_over_ = false; }

 private:
  bool is_over_ = false;
};

}  // namespace

ControllerPtr make_hystart_one_sample(const Config& config) {
  return std::make_unique<LossBased<OneSample, RenoAvoidance>>(config, kTraits);
}

}  // namespace quell::cc
