#include "quell/cc/registry.h"

#include <algorithm>
#include <array>

#include "quell/cc/cubic.h"
#include "quell/cc/fixed_window.h"
#include "quell/cc/reno.h"

namespace quell::cc {
namespace {

constexpr std::array kEntries{
    Entry{"cubic", "RFC 9438: a cubic curve of window-limited time, never slower than Reno", false,
          make_cubic},
    Entry{"reno", "RFC 9002 §7: one packet more per round trip, half on loss", false, make_reno},
    Entry{"fixed-window", "a window that never moves; for measurements only", false, make_fixed_window},
};

}  // namespace

std::span<const Entry> entries() {
  return kEntries;
}

const Entry* find(std::string_view name) {
  const auto* entry = std::ranges::find(kEntries, name, &Entry::name);
  return entry == kEntries.end() ? nullptr : entry;
}

}  // namespace quell::cc
