#include "quell/cc/bbr3.h"

#include "quell/cc/bbr3_machine.h"

namespace quell::cc {

ControllerPtr make_bbr3(const Config& config) {
  return std::make_unique<bbr3::Machine<bbr3::SoundParts>>(config);
}

}  // namespace quell::cc
