// Which faulty controllers are kept alive, and which sound one is each a fault of? One line for each; its
// story stands in its header, what must catch it in the scenarios ([[expect_failure]]).
#pragma once

#include <span>
#include <string_view>

#include "quell/cc/controller.h"

namespace quell::cc {

struct Specimen {
  std::string_view name;
  std::string_view when;     // and where, in a few words
  std::string_view symptom;  // one line
  std::string_view sound;    // the controller that it would be without its fault
  ControllerPtr (*make)(const Config&) = nullptr;
  // Harmless in a transport that keeps its own rules: caught together with the fault of the same name in
  // recovery (quell/faults).
  bool needs_faulty_recovery = false;
};

std::span<const Specimen> specimens();
// Null when there is no such specimen.
const Specimen* find_specimen(std::string_view name);

}  // namespace quell::cc
