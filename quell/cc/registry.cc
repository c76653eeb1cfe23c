#include "quell/cc/registry.h"

#include <algorithm>
#include <array>
#include <deque>

#include "quell/cc/bbr3.h"
#include "quell/cc/cubic.h"
#include "quell/cc/fixed_window.h"
#include "quell/cc/reno.h"
#include "quell/cc/specimens/cubic_linux_2017.h"
#include "quell/cc/specimens/cubic_quiche_2020.h"

namespace quell::cc {
namespace {

constexpr std::array kEntries{
    Entry{"cubic", "RFC 9438: a cubic curve of window-limited time, never slower than Reno", false,
          make_cubic},
    Entry{"reno", "RFC 9002 §7: one packet more per round trip, half on loss", false, make_reno},
    Entry{"bbr3", "draft-ietf-ccwg-bbr: a model of bandwidth and round trip time sets rate and window", false,
          make_bbr3},
    Entry{"fixed-window", "a window that never moves; for measurements only", false, make_fixed_window},
    Entry{"cubic-linux-2017", "specimen: shifts its epoch from the last send, even into the future", true,
          make_cubic_linux_2017},
    Entry{"cubic-quiche-2020", "specimen: the same on its recovery boundary; pinned at two packets", true,
          make_cubic_quiche_2020},
};

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
  return kEntries;
}

const Entry* find(std::string_view name) {
  if (const Entry* built_in = find_in(kEntries, name)) return built_in;
  return find_in(added(), name);
}

bool add(const Entry& entry) {
  if (find(entry.name) != nullptr) return false;
  added().push_back(entry);
  return true;
}

}  // namespace quell::cc
