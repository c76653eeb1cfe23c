// What was seen in a run? Numbers with names, which expectations and tables refer to.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "quell/base/time.h"
#include "quell/base/units.h"

namespace quell::lab {

// "The trouble" is what the path does for a while: loss phases that end and scripted drops. All windows are
// the sending server's, in packets of max_datagram_size.
struct Measures {
  bool completed = false;
  double completion_s = 0;    // from the start; the deadline when it never came
  double confirmed_s = 0;     // the client's handshake confirmed; the deadline when it never was
  double recovery_flips = 0;  // entries into recovery after the last loss
  double uncaused_recoveries =
      0;  // entries into recovery with no loss and no CE mark since the one before, in the whole run
  double first_ack_s =
      0;  // from the end of the trouble to the first ACK of a packet sent after it: PTO's part
  double low_window_s = 0;  // time at or below `low_window_packets` from that ACK on: the controller's part
  double floor_s = 0;       // time at the floor (a third packet does not fit), from the end of the trouble
  double longest_floor_s = 0;  // the longest stretch of that
  double cwnd_after = 0;       // at the anchor plus `rtts` round trips; zero when the run ended before
  double cwnd_least = 0;
  double cwnd_most = 0;
  double cwnd_final = 0;
  double losses = 0;       // packets declared lost
  double late_losses = 0;  // of them, sent after the end of the trouble
  double persistent_congestions = 0;
  double packets_sent = 0;
};

bool is_measure(std::string_view name);
// All names, for an error message.
std::string measure_names();
// `name` must be a measure.
double value_of(const Measures& measures, std::string_view name);
// Is it a time in seconds?
bool is_time(std::string_view name);
// One line for people.
std::string_view meaning_of(std::string_view name);

}  // namespace quell::lab
