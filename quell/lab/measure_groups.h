// Into which groups do measures fall? Each has a file of its own, `<group>_measures.cc`.
#pragma once

#include <span>

#include "quell/lab/measures.h"

namespace quell::lab {

// "The trouble" is what the path does for a while: loss phases that end and scripted drops. All windows are
// the sender's, in packets of max_datagram_size.
std::span<const Measure> progress_measures();  // how far, how soon?
std::span<const Measure> window_measures();    // how large was the window?
std::span<const Measure> growth_measures();    // how did it grow, and was it used?
std::span<const Measure> recovery_measures();  // what was lost, and what was made of it?
std::span<const Measure> sharing_measures();   // how much of the link did each flow get?
std::span<const Measure> queue_measures();     // how long did packets wait, and how many were dropped?

std::span<const Measure> conduct_measures();   // how did it probe, burst, believe; how did it end?
std::span<const Measure> delivery_measures();  // when did how much arrive?
std::span<const Measure> limit_measures();     // what held the transfer back?

}  // namespace quell::lab
