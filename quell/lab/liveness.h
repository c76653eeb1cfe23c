// Does a connection come back once its path is clean? The law of liveness (liveness_terms.h), watched during
// a run from the sender's end.
#pragma once

#include <deque>
#include <expected>
#include <optional>
#include <string>

#include "quell/connection/stats.h"
#include "quell/lab/liveness_terms.h"
#include "quell/lab/watch.h"

namespace quell::lab {

// What came of it.
struct LivenessOutcome {
  // Why the law says nothing about this run; empty: it does.
  std::string not_judged;
  std::optional<TimePoint> cleared_at;    // path and application have no more trouble
  std::optional<TimePoint> first_ack_at;  // of a packet sent after that
  std::optional<TimePoint> reached_at;    // 80 % of the capacity
  std::optional<TimePoint> due_at;        // when it had to be reached
  double best_share = 0;                  // of the capacity, over the best span
  std::string breach;                     // empty: none
};

class Liveness {
 public:
  // `watch` is the sender's, and must outlive this.
  Liveness(std::expected<LivenessTerms, std::string> terms, const Watch& watch, TimePoint start);

  struct Facts {
    ConnectionStats stats;
    bool is_data_waiting = false;            // the application has more to send now
    std::optional<TimePoint> path_clear_at;  // when the path's trouble ends; nothing: not known yet
  };
  // After every turn of the sender.
  void check(const Facts& facts, TimePoint now);
  // Nothing more will be learnt: reached, broken, or not judged at all.
  bool is_settled() const {
    return outcome_.reached_at || !outcome_.breach.empty() || !outcome_.not_judged.empty();
  }
  const LivenessOutcome& outcome() const { return outcome_; }

 private:
  struct Sample {
    TimePoint at;
    ByteCount acked = 0;
  };
  bool find_first_ack(const Facts& facts, TimePoint now);
  void check_return(TimePoint now);
  void check_progress(TimePoint now);
  void breach(const char* law, const std::string& what, TimePoint now);

  std::optional<LivenessTerms> terms_;
  const Watch& watch_;
  TimePoint start_;
  LivenessOutcome outcome_;
  TimePoint idle_until_;         // the application had nothing to send until then
  bool was_idle_ = true;         // nor at the last check
  std::size_t acks_seen_ = 0;    // of the watch's
  std::size_t acks_before_ = 0;  // the last one that tells nothing of the clean path
  std::deque<Sample> samples_;   // one per change, the oldest just before the span
};

}  // namespace quell::lab
