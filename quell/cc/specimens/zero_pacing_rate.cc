#include "quell/cc/specimens/zero_pacing_rate.h"

#include <cmath>

#include "quell/cc/bbr3_machine.h"

namespace quell::cc {
namespace {

class WholeBytesPerMicrosecond {
 public:
  void init(double initial_window, double gain, Duration smoothed_rtt) {
    sound_.init(initial_window, gain, smoothed_rtt);
    rate_ = sound_.rate();
  }
  void set(double gain, double bandwidth, bool /*is_full*/) {
    rate_ = std::floor(gain * bandwidth / 1e6) * 1e6;  // the fault
  }
  double rate() const { return rate_; }
  double quantum(double packet) const { return sound_.quantum(packet); }

 private:
  bbr3::Pacing sound_;
  double rate_ = 0;
};

struct Parts : bbr3::SoundParts {
  static constexpr Traits kTraits = renamed(bbr3::SoundParts::kTraits, "zero-pacing-rate");
  using Pacing = WholeBytesPerMicrosecond;
};

}  // namespace

ControllerPtr make_zero_pacing_rate(const Config& config) {
  return std::make_unique<bbr3::Machine<Parts>>(config);
}

}  // namespace quell::cc
