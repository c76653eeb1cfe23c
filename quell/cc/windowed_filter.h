// What was the largest value of the last few ticks? Exact, in constant space: one entry for each tick at
// most.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace quell::cc {

// Invariant: from front to back ticks rise and values fall, so the front is the maximum.
template <class Value, std::size_t kMostTicks>
class WindowedMax {
 public:
  // `tick` never goes back; the last `ticks` of them count, the present one included: from 1 to kMostTicks.
  Value update(Value value, std::uint64_t tick, std::size_t ticks) {
    while (size_ > 0 && front().tick + ticks <= tick) drop_front();
    while (size_ > 0 && back().value <= value) --size_;
    // What is left at this tick is larger and outlives the value.
    if (size_ == 0 || back().tick != tick) ring_[(head_ + size_++) % kMostTicks] = {tick, value};
    return front().value;
  }
  // Of the window as of the last update; a default value before the first.
  Value best() const { return size_ == 0 ? Value{} : front().value; }

 private:
  struct Entry {
    std::uint64_t tick = 0;
    Value value{};
  };
  const Entry& front() const { return ring_[head_]; }
  const Entry& back() const { return ring_[(head_ + size_ - 1) % kMostTicks]; }
  void drop_front() {
    head_ = (head_ + 1) % kMostTicks;
    --size_;
  }

  std::array<Entry, kMostTicks> ring_{};
  std::size_t head_ = 0;
  std::size_t size_ = 0;
};

}  // namespace quell::cc
