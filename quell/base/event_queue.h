// What happens next? Events by time; those of one instant in the order in which they were put in.
#pragma once

#include <cstdint>
#include <queue>
#include <utility>
#include <vector>

#include "quell/base/time.h"

namespace quell {

// Events move while the queue sorts itself: keep them small.
template <typename Event>
class EventQueue {
 public:
  void push(TimePoint at, Event event) { heap_.push(Entry{at, next_++, std::move(event)}); }
  bool empty() const { return heap_.empty(); }
  // Both need a queue that is not empty.
  TimePoint next_at() const { return heap_.top().at; }
  Event pop() {
    Event event = std::move(const_cast<Entry&>(heap_.top()).event);  // top() is about to go
    heap_.pop();
    return event;
  }

 private:
  struct Entry {
    TimePoint at;
    std::uint64_t order;
    Event event;
    bool operator<(const Entry& other) const {  // a max-heap: the "largest" is the earliest
      return at != other.at ? at > other.at : order > other.order;
    }
  };
  std::priority_queue<Entry> heap_;
  std::uint64_t next_ = 0;
};

}  // namespace quell
