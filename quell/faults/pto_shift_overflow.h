// What if 2^pto_count does not fit? A fault, for the laboratory only.
//
// What: the period is shifted left in 32 bits of milliseconds, and nothing bounds the count.
//
// When: neqo until 2024 (pull request 1605: a PTO of 0 ns), quiche until 2026 (2465: a panic), and ngtcp2's
// cap of 30 says the same.
//
// Symptom: after weeks without an answer the timeout is zero, and probes leave as fast as the host can build
// them.
//
// Caught by: blackout-weeks.
#pragma once

#include "quell/faults/rules.h"

namespace quell::faults {

struct PtoShiftOverflow final : Rules {
  Duration backed_off(Duration period, std::uint32_t count) const override {
    const auto units = static_cast<std::uint32_t>(period / milliseconds{1});
    return milliseconds{units << (count % 32)};  // as a processor shifts 32 bits
  }
};

}  // namespace quell::faults
