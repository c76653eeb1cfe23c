// Which controller works from a model of the path, its bandwidth and its round trip time, and takes losses
// for one signal among others? BBRv3 (draft-ietf-ccwg-bbr). What it is made of: bbr3_machine.h.
#pragma once

#include "quell/cc/controller.h"

namespace quell::cc {

ControllerPtr make_bbr3(const Config& config);

}  // namespace quell::cc
