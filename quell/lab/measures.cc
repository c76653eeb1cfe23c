#include "quell/lab/measures.h"

#include <algorithm>

#include "quell/base/check.h"

namespace quell::lab {
namespace {

struct Named {
  std::string_view name;
  double Measures::* value;
  std::string_view meaning;
};

constexpr Named kMeasures[] = {
    {"completion_s", &Measures::completion_s, "time until the last byte was there"},
    {"confirmed_s", &Measures::confirmed_s, "time until the client's handshake was confirmed"},
    {"recovery_flips", &Measures::recovery_flips, "entries into recovery after the last loss"},
    {"uncaused_recoveries", &Measures::uncaused_recoveries,
     "entries into recovery without a loss or CE mark since the one before"},
    {"first_ack_s", &Measures::first_ack_s,
     "time from the end of the trouble to the first ACK of a packet sent after it"},
    {"low_window_s", &Measures::low_window_s, "time at a low window from that ACK on"},
    {"floor_s", &Measures::floor_s, "time at the floor (no third packet fits) after the trouble"},
    {"longest_floor_s", &Measures::longest_floor_s, "longest stretch at the floor after the trouble"},
    {"cwnd_after", &Measures::cwnd_after, "window in packets some round trips after the anchor"},
    {"cwnd_least", &Measures::cwnd_least, "least window in packets"},
    {"cwnd_most", &Measures::cwnd_most, "largest window in packets"},
    {"cwnd_final", &Measures::cwnd_final, "window in packets at the end"},
    {"losses", &Measures::losses, "packets declared lost"},
    {"late_losses", &Measures::late_losses, "packets sent after the trouble and declared lost"},
    {"persistent_congestions", &Measures::persistent_congestions,
     "times that persistent congestion was found"},
    {"packets_sent", &Measures::packets_sent, "packets that the server sent"},
};

const Named* find(std::string_view name) {
  const auto* found = std::ranges::find(kMeasures, name, &Named::name);
  return found == std::end(kMeasures) ? nullptr : found;
}

}  // namespace

bool is_measure(std::string_view name) {
  return find(name) != nullptr;
}

std::string measure_names() {
  std::string names;
  for (const Named& measure : kMeasures) names += (names.empty() ? "" : ", ") + std::string{measure.name};
  return names;
}

double value_of(const Measures& measures, std::string_view name) {
  const Named* named = find(name);
  QUELL_CHECK(named != nullptr);
  return measures.*(named->value);
}

bool is_time(std::string_view name) {
  return name.ends_with("_s");
}

std::string_view meaning_of(std::string_view name) {
  const Named* named = find(name);
  QUELL_CHECK(named != nullptr);
  return named->meaning;
}

}  // namespace quell::lab
