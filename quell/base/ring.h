// How does one find a record by an ever-growing number without searching or allocating? A power-of-two ring
// that holds the numbers [first, end) and doubles when they outgrow it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "quell/base/check.h"

namespace quell {

// T must be default-constructible and cheap to move. Slots keep their old value until they are reused.
template <typename T>
class Ring {
 public:
  std::uint64_t first() const { return first_; }
  std::uint64_t end() const { return end_; }
  bool empty() const { return first_ == end_; }
  std::size_t size() const { return static_cast<std::size_t>(end_ - first_); }
  bool contains(std::uint64_t number) const { return number >= first_ && number < end_; }

  // `number` must be within [first, end).
  T& operator[](std::uint64_t number) { return slots_[number & (slots_.size() - 1)]; }
  const T& operator[](std::uint64_t number) const { return slots_[number & (slots_.size() - 1)]; }

  // Gives the slot for the next number, whatever it held before.
  T& push_back() {
    if (size() == slots_.size()) grow();
    return (*this)[end_++];
  }
  void pop_front() {
    QUELL_CHECK(!empty());
    ++first_;
  }
  // Starts again, empty, at `number`.
  void restart_at(std::uint64_t number) { first_ = end_ = number; }

 private:
  void grow() {
    std::vector<T> bigger(slots_.empty() ? 16 : slots_.size() * 2);
    for (std::uint64_t n = first_; n != end_; ++n) {
      bigger[n & (bigger.size() - 1)] = std::move(slots_[n & (slots_.size() - 1)]);
    }
    slots_ = std::move(bigger);
  }

  std::vector<T> slots_;
  std::uint64_t first_ = 0;
  std::uint64_t end_ = 0;
};

}  // namespace quell
