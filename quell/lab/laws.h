// Which laws hold in every run, whatever the scenario? Checked after every turn of every host, from the
// transport's own figures against the books that were kept from the trace.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "quell/connection/stats.h"
#include "quell/lab/watch.h"

namespace quell::lab {

// One end of one connection.
class Laws {
 public:
  struct Facts {
    ConnectionStats stats;
    bool is_data_waiting = false;        // the application has more to send now
    std::optional<TimePoint> next_turn;  // of the host
  };

  // A specimen is exempt from the laws of the window, which are about controllers; not from those of the
  // transport.
  Laws(Side side, bool is_specimen, const Watch& watch, TimePoint start)
      : side_(side), is_specimen_(is_specimen), watch_(watch), start_(start) {}

  void check(const Facts& facts, TimePoint now);
  // Sentences with their times; the first few of each kind.
  const std::vector<std::string>& broken() const { return broken_; }

 private:
  void check_flight(const Facts& facts, TimePoint now);
  void check_window(const Facts& facts, TimePoint now);
  void check_growth_clock(const Facts& facts, TimePoint now);
  void check_wake_up(const Facts& facts, TimePoint now);
  static std::string format_ms(Duration d);
  void breach(const char* law, const std::string& what, TimePoint now);

  struct Before {
    ByteCount cwnd = 0;
    ByteCount total_acked = 0;
    Duration growth_clock{0};
    std::uint64_t persistent_congestions = 0;
    std::uint64_t congestion_events = 0;
    std::uint64_t doubled_cuts = 0;
  };
  // A stretch in which window and application kept the sender limited throughout.
  struct Full {
    TimePoint since;
    Duration growth_clock{0};
  };

  Side side_;
  bool is_specimen_;
  const Watch& watch_;
  TimePoint start_;
  std::optional<Before> before_;
  std::optional<Full> full_;
  std::vector<std::string> broken_;
  std::vector<const char*> broken_laws_;
};

}  // namespace quell::lab
