// Which numbers of a growing sequence have been seen? Disjoint half-open ranges, sorted, with a cap.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace quell {

// [first, end) of 64-bit numbers; never empty inside a RangeSet.
struct Range {
  std::uint64_t first = 0;
  std::uint64_t end = 0;
  std::uint64_t size() const { return end - first; }
  bool operator==(const Range&) const = default;
};

// Invariant: ranges are sorted, disjoint and not adjacent.
class RangeSet {
 public:
  // Adds [first, end); returns how many numbers were new. Fast when ranges arrive in order.
  std::uint64_t add(std::uint64_t first, std::uint64_t end);
  // Removes [first, end); returns how many numbers were there.
  std::uint64_t remove(std::uint64_t first, std::uint64_t end);
  void remove_below(std::uint64_t limit);
  // Drops the lowest ranges until at most `count` are left.
  void keep_highest(std::size_t count);
  void clear() { ranges_.clear(); }

  bool contains(std::uint64_t value) const;
  // True if every number of [first, end) is there.
  bool contains(std::uint64_t first, std::uint64_t end) const;
  bool empty() const { return ranges_.empty(); }
  std::size_t range_count() const { return ranges_.size(); }
  // Both need a non-empty set.
  std::uint64_t lowest() const { return ranges_.front().first; }
  std::uint64_t highest() const { return ranges_.back().end - 1; }
  // Ascending.
  const std::vector<Range>& ranges() const { return ranges_; }
  std::uint64_t total() const;

 private:
  // Index of the first range with end >= value.
  std::size_t first_touching(std::uint64_t value) const;
  std::vector<Range> ranges_;
};

}  // namespace quell
