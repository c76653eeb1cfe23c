// Which stream may put bytes into the next packet?
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <utility>

#include "quell/wire/types.h"

namespace quell {

// Eight urgencies, smallest first (RFC 9218 §4.1). Within one, streams that are not incremental go first and
// in order of their ids, each to its end; incremental ones take turns.
class Scheduler {
 public:
  struct Entry {
    std::uint8_t urgency = 3;
    bool incremental = false;
    bool is_queued = false;
    std::uint64_t turn = 0;
  };

  void add(StreamId stream, Entry& entry) {
    if (entry.is_queued) return;
    entry.turn = entry.incremental ? ++last_turn_ : 0;
    queues_[entry.urgency].insert({entry.turn, stream});
    entry.is_queued = true;
  }
  void remove(StreamId stream, Entry& entry) {
    if (!entry.is_queued) return;
    queues_[entry.urgency].erase({entry.turn, stream});
    entry.is_queued = false;
  }
  // The stream had its packet.
  void served(StreamId stream, Entry& entry) {
    if (!entry.is_queued || !entry.incremental) return;
    auto node = queues_[entry.urgency].extract({entry.turn, stream});
    entry.turn = ++last_turn_;
    node.value().first = entry.turn;
    queues_[entry.urgency].insert(std::move(node));
  }
  std::optional<StreamId> next() const {
    for (const auto& queue : queues_) {
      if (!queue.empty()) return queue.begin()->second;
    }
    return std::nullopt;
  }

 private:
  static constexpr std::size_t kUrgencies = 8;
  std::array<std::set<std::pair<std::uint64_t, StreamId>>, kUrgencies> queues_;
  std::uint64_t last_turn_ = 0;
};

}  // namespace quell
