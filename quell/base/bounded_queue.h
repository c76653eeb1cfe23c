// How much may a peer make us remember? A FIFO with a limit that stands beside its reason.
#pragma once

#include <cstddef>
#include <deque>
#include <utility>

namespace quell {

template <typename T>
class BoundedQueue {
 public:
  explicit BoundedQueue(std::size_t limit) : limit_(limit) {}

  // False, and nothing queued, when full.
  [[nodiscard]] bool push(T value) {
    if (items_.size() >= limit_) return false;
    items_.push_back(std::move(value));
    return true;
  }
  T pop() {
    T value = std::move(items_.front());
    items_.pop_front();
    return value;
  }
  T& front() { return items_.front(); }
  const T& front() const { return items_.front(); }
  bool empty() const { return items_.empty(); }
  bool full() const { return items_.size() >= limit_; }
  std::size_t size() const { return items_.size(); }
  std::size_t limit() const { return limit_; }
  void clear() { items_.clear(); }
  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }

 private:
  std::deque<T> items_;
  std::size_t limit_;
};

}  // namespace quell
