// Which of the recovery metrics have changed, and how are they written? (quic-events draft,
// "recovery_metrics_updated")
#pragma once

#include "quell/qlog/json_text.h"
#include "quell/trace/event.h"

namespace quell::qlog {

// True if a change would show in the log: round trip times below a microsecond and rates below a bit per
// second do not.
bool differ_in_log(const trace::RecoveryMetrics& before, const trace::RecoveryMetrics& now);
// Adds the fields of `now` that differ from `before`. The draft's names and units, and of ours, as the draft
// allows: total_delivered, total_lost (bytes), growth_clock (ms), floor_rounds_without_loss (a count),
// is_window_limited.
void write_changed_metrics(JsonText& json, const trace::RecoveryMetrics& before,
                           const trace::RecoveryMetrics& now);

}  // namespace quell::qlog
