// Which laws hold in every run, whatever the scenario? Checked after every turn of every host, from the
// transport's own figures against the books that were kept from the trace.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "quell/connection/stats.h"
#include "quell/lab/watch.h"

namespace quell::lab {

// A clean path brings the capacity back (liveness.h).
inline constexpr const char* kLivenessLaw = "liveness";

// The law that a sentence of Laws::broken() speaks of.
std::string_view law_of(std::string_view sentence);
// Is it for the controller to keep, not for the transport? A specimen breaks such a law by its nature.
bool is_law_of_controllers(std::string_view law);

// One end of one connection.
class Laws {
 public:
  struct Facts {
    ConnectionStats stats;
    bool is_data_waiting = false;        // the application has more to send now
    std::optional<TimePoint> next_turn;  // of the host
    Duration max_ack_delay{milliseconds{25}};
  };

  // `has_lawless_window`: exempt from the laws of a window that follows losses, but not from the floor, nor
  // from the laws of the transport.
  Laws(Side side, bool has_lawless_window, const Watch& watch, TimePoint start)
      : side_(side), has_lawless_window_(has_lawless_window), watch_(watch), start_(start) {}

  void check(const Facts& facts, TimePoint now);
  // Sentences with their times, one for each law; each begins with the law's name and " at ".
  const std::vector<std::string>& broken() const { return broken_; }

 private:
  void check_flight(const Facts& facts, TimePoint now);
  void check_window(const Facts& facts, TimePoint now);
  void check_growth_clock(const Facts& facts, TimePoint now);
  void check_growth(const Facts& facts, bool is_undone_now, TimePoint now);
  void check_gates(const Facts& facts, TimePoint now);
  void check_wake_up(const Facts& facts, TimePoint now);
  void check_figures(const Facts& facts, TimePoint now);
  static std::string format_ms(Duration d);
  void breach(const char* law, const std::string& what, TimePoint now);

  struct Before {
    ByteCount cwnd = 0;
    ByteCount total_acked = 0;
    ByteCount total_filling_acked = 0;
    std::size_t losses = 0;
    std::uint64_t marks = 0;
    Duration growth_clock{0};
    std::uint64_t persistent_congestions = 0;
    std::uint64_t congestion_events = 0;
    std::uint64_t spurious_episodes = 0;
    std::uint64_t doubled_cuts = 0;
  };
  // A stretch in which window and application kept the sender limited throughout.
  struct Full {
    TimePoint since;
    Duration growth_clock{0};
  };

  Side side_;
  bool has_lawless_window_;
  bool is_cut_undone_ = false;  // the last cut was taken back: what was in flight may cause the next
  const Watch& watch_;
  TimePoint start_;
  std::optional<Before> before_;
  std::optional<Full> full_;
  std::vector<std::string> broken_;
  std::vector<const char*> broken_laws_;
};

}  // namespace quell::lab
