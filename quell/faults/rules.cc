#include "quell/faults/rules.h"

namespace quell::faults {
namespace {

const Rules kSound;
const Rules* current = &kSound;

}  // namespace

const Rules& in_force() {
  return *current;
}

void put_in_force(const Rules* rules) {
  current = rules == nullptr ? &kSound : rules;
}

}  // namespace quell::faults
