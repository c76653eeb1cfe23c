#include "quell/cc/registry.h"

#include <algorithm>
#include <array>
#include <deque>
#include <vector>

#include "quell/cc/bbr3.h"
#include "quell/cc/cubic.h"
#include "quell/cc/fixed_rate.h"
#include "quell/cc/fixed_window.h"
#include "quell/cc/reno.h"
#include "quell/cc/specimens/catalogue.h"

namespace quell::cc {
namespace {

constexpr std::array kControllers{
    Entry{"cubic", "RFC 9438: a cubic curve of window-limited time, never slower than Reno; HyStart++", false,
          make_cubic},
    Entry{"reno", "RFC 9002 §7: one packet more per round trip, half on loss; HyStart++", false, make_reno},
    Entry{"bbr3", "draft-ietf-ccwg-bbr: a model of bandwidth and round trip time sets rate and window", false,
          make_bbr3},
    Entry{"cubic-classic", "cubic, its slow start ended by loss alone", false, make_cubic_classic},
    Entry{"reno-classic", "reno, its slow start ended by loss alone", false, make_reno_classic},
    Entry{"fixed-window", "a window that never moves; for measurements only", false, make_fixed_window},
    Entry{"fixed-rate", "a rate that never moves; for measurements only", false, make_fixed_rate},
};

// The controllers, then the specimens.
const std::vector<Entry>& built_in() {
  static const std::vector<Entry> entries = [] {
    std::vector<Entry> all{kControllers.begin(), kControllers.end()};
    for (const Specimen& s : specimens()) all.push_back({s.name, s.symptom, true, s.make});
    return all;
  }();
  return entries;
}

// Grows without moving what is in it: find() hands out addresses.
std::deque<Entry>& added() {
  static std::deque<Entry> entries;
  return entries;
}

template <typename Entries>
const Entry* find_in(const Entries& entries, std::string_view name) {
  const auto entry = std::ranges::find(entries, name, &Entry::name);
  return entry == entries.end() ? nullptr : &*entry;
}

}  // namespace

std::span<const Entry> entries() {
  return built_in();
}

const Entry* find(std::string_view name) {
  if (const Entry* entry = find_in(built_in(), name)) return entry;
  return find_in(added(), name);
}

bool add(const Entry& entry) {
  if (find(entry.name) != nullptr) return false;
  added().push_back(entry);
  return true;
}

}  // namespace quell::cc
