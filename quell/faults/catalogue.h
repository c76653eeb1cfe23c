// Which faults can recovery be given, by name? Their stories stand in their headers; what must catch them, in
// the scenarios ([[expect_failure]] with `fault`).
#pragma once

#include <span>
#include <string_view>

#include "quell/faults/rules.h"

namespace quell::faults {

struct Fault {
  std::string_view name;
  std::string_view when;
  std::string_view symptom;
  const Rules* rules = nullptr;
};

std::span<const Fault> faults();
// Null when there is no such fault.
const Fault* find(std::string_view name);

}  // namespace quell::faults
