// How far did the run get, and how soon?
#include "quell/lab/measure_groups.h"

namespace quell::lab {
namespace {

// What never happened counts as the deadline.
double since_start(const Observed& o, const std::optional<TimePoint>& t) {
  return to_seconds(t ? *t - o.start : o.variant->deadline);
}

constexpr Measure kMeasures[] = {
    {"completion_s", "time until the last byte was there; the deadline when it never came",
     [](const Observed& o) { return since_start(o, o.completed_at); }},
    {"confirmed_s", "time until the client's handshake was confirmed; the deadline when it never was",
     [](const Observed& o) { return since_start(o, o.confirmed_at); }},
    {"packets_sent", "packets that the sender sent",
     [](const Observed& o) { return static_cast<double>(o.sender->ledger().sent()); }},
};

}  // namespace

std::span<const Measure> progress_measures() {
  return kMeasures;
}

}  // namespace quell::lab
