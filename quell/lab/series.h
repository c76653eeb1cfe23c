// What did one connection look like over time? The curves, marks and states that the report draws.
#pragma once

#include <string>
#include <vector>

#include "quell/cc/events.h"

namespace quell::lab {

struct Point {
  double time_s = 0;  // since the run began
  double value = 0;
};

// The controller was in `state` during [from_s, to_s).
struct StateInterval {
  double from_s = 0;
  double to_s = 0;
  cc::State state = cc::State::slow_start;
};

// Something the path did during [from_s, to_s), in words: "30 % loss".
struct PathPhase {
  double from_s = 0;
  double to_s = 0;
  std::string label;
};

// The sender's view. Every curve is a step function in bytes: a point holds until the next one; times never
// go back.
struct Series {
  std::vector<Point> cwnd;
  std::vector<Point> in_flight;
  std::vector<Point> ssthresh;   // no point while there is no threshold yet
  std::vector<Point> delivered;  // total acknowledged
  std::vector<Point> lost;       // total declared lost
  std::vector<StateInterval> states;
  std::vector<double> loss_times_s;  // one per packet declared lost
  std::vector<PathPhase> phases;
  double end_s = 0;  // when the run ended
};

}  // namespace quell::lab
