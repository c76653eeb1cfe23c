#include "quell/base/range_set.h"

#include <algorithm>

#include "quell/base/check.h"

namespace quell {

std::size_t RangeSet::first_touching(std::uint64_t value) const {
  const auto it = std::lower_bound(ranges_.begin(), ranges_.end(), value,
                                   [](const Range& r, std::uint64_t v) { return r.end < v; });
  return static_cast<std::size_t>(it - ranges_.begin());
}

std::uint64_t RangeSet::add(std::uint64_t first, std::uint64_t end) {
  QUELL_CHECK(first <= end);
  if (first == end) return 0;
  if (ranges_.empty() || first > ranges_.back().end) {
    ranges_.push_back({first, end});
    return end - first;
  }
  if (first == ranges_.back().end) {
    ranges_.back().end = end;
    return end - first;
  }
  const std::size_t low = first_touching(first);
  std::size_t high = low;
  std::uint64_t present = 0;
  Range merged{first, end};
  while (high < ranges_.size() && ranges_[high].first <= end) {
    const Range& r = ranges_[high];
    const std::uint64_t overlap_end = std::min(r.end, end);
    const std::uint64_t overlap_first = std::max(r.first, first);
    if (overlap_end > overlap_first) present += overlap_end - overlap_first;
    merged.first = std::min(merged.first, r.first);
    merged.end = std::max(merged.end, r.end);
    ++high;
  }
  if (high == low) {
    ranges_.insert(ranges_.begin() + static_cast<std::ptrdiff_t>(low), merged);
  } else {
    ranges_[low] = merged;
    ranges_.erase(ranges_.begin() + static_cast<std::ptrdiff_t>(low) + 1,
                  ranges_.begin() + static_cast<std::ptrdiff_t>(high));
  }
  return end - first - present;
}

std::uint64_t RangeSet::remove(std::uint64_t first, std::uint64_t end) {
  if (first >= end) return 0;
  std::uint64_t removed = 0;
  std::size_t i = first_touching(first + 1);
  while (i < ranges_.size() && ranges_[i].first < end) {
    const Range r = ranges_[i];
    removed += std::min(r.end, end) - std::max(r.first, first);
    const bool keeps_left = r.first < first;
    const bool keeps_right = r.end > end;
    if (keeps_left && keeps_right) {
      ranges_[i].end = first;
      ranges_.insert(ranges_.begin() + static_cast<std::ptrdiff_t>(i) + 1, {end, r.end});
      break;
    }
    if (keeps_left) {
      ranges_[i].end = first;
      ++i;
    } else if (keeps_right) {
      ranges_[i].first = end;
      break;
    } else {
      ranges_.erase(ranges_.begin() + static_cast<std::ptrdiff_t>(i));
    }
  }
  return removed;
}

void RangeSet::remove_below(std::uint64_t limit) {
  std::size_t gone = 0;
  while (gone < ranges_.size() && ranges_[gone].end <= limit) ++gone;
  if (gone > 0) ranges_.erase(ranges_.begin(), ranges_.begin() + static_cast<std::ptrdiff_t>(gone));
  if (!ranges_.empty() && ranges_.front().first < limit) ranges_.front().first = limit;
}

void RangeSet::keep_highest(std::size_t count) {
  if (ranges_.size() > count) {
    ranges_.erase(ranges_.begin(), ranges_.end() - static_cast<std::ptrdiff_t>(count));
  }
}

bool RangeSet::contains(std::uint64_t value) const {
  return contains(value, value + 1);
}

bool RangeSet::contains(std::uint64_t first, std::uint64_t end) const {
  if (first >= end) return true;
  const std::size_t i = first_touching(first + 1);
  return i < ranges_.size() && ranges_[i].first <= first && ranges_[i].end >= end;
}

std::uint64_t RangeSet::total() const {
  std::uint64_t sum = 0;
  for (const Range& r : ranges_) sum += r.size();
  return sum;
}

}  // namespace quell
