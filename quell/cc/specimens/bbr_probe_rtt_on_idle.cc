#include "quell/cc/specimens/bbr_probe_rtt_on_idle.h"

#include "quell/cc/bbr3_machine.h"

namespace quell::cc {
namespace {

struct Parts : bbr3::SoundParts {
  static constexpr Traits kTraits = renamed(bbr3::SoundParts::kTraits, "bbr-probe-rtt-on-idle");
  static constexpr bool kHearsIdleRestart = false;  // the fault
};

}  // namespace

ControllerPtr make_bbr_probe_rtt_on_idle(const Config& config) {
  return std::make_unique<bbr3::Machine<Parts>>(config);
}

}  // namespace quell::cc
