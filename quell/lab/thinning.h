// How much of a curve can a screen show? Long series are cut down to a few points per bucket that keep every
// extreme.
#pragma once

#include <cstddef>
#include <vector>

#include "quell/lab/series.h"

namespace quell::lab {

// Divides [0, end_s] into `buckets` equal parts and keeps, of each, the smallest, the largest and the last
// point, in their order: what the eye would see, and the exact value that the next bucket starts from. Short
// curves come back unchanged. `buckets` must not be zero.
std::vector<Point> thin_curve(const std::vector<Point>& curve, double end_s, std::size_t buckets);

// At most one mark per bucket: its first.
std::vector<double> thin_marks(const std::vector<double>& times_s, double end_s, std::size_t buckets);

// Beyond `buckets` intervals, each bucket takes the state that filled most of it; equal neighbours become
// one.
std::vector<StateInterval> thin_states(const std::vector<StateInterval>& states, double end_s,
                                       std::size_t buckets);

// All of them.
Series thin(const Series& series, std::size_t buckets);

}  // namespace quell::lab
