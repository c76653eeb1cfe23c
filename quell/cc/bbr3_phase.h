// Which phases does BBRv3 go through, and what does each do to rate and window? (draft §5.1, §5.6.1)
#pragma once

#include <cstdint>

namespace quell::cc::bbr3 {

enum class Phase : std::uint8_t { startup, drain, down, cruise, refill, up, probe_rtt };

// Draft §2.5, §5.3: BBR.pacing_gain.
constexpr double pacing_gain(Phase phase) {
  switch (phase) {
    case Phase::startup:
      return 2.77;  // 4 × ln 2: the least that lets the rate double in each round
    case Phase::drain:
      return 0.5;  // 1 / the window's gain in Startup: drains its queue in one round
    case Phase::down:
      return 0.9;
    case Phase::up:
      return 1.25;
    case Phase::cruise:
    case Phase::refill:
    case Phase::probe_rtt:
      return 1;
  }
  return 1;
}

// Draft §2.6, §5.6.1: BBR.cwnd_gain.
constexpr double cwnd_gain(Phase phase) {
  if (phase == Phase::up) return 2.25;
  if (phase == Phase::probe_rtt) return 0.5;
  return 2;
}

constexpr bool is_probe_bw(Phase phase) {
  return phase == Phase::down || phase == Phase::cruise || phase == Phase::refill || phase == Phase::up;
}

// Is the flow looking for more bandwidth? Then losses do not lower the short-term model (draft §5.5.10.3).
constexpr bool is_probing(Phase phase) {
  return phase == Phase::startup || phase == Phase::refill || phase == Phase::up;
}

constexpr const char* to_string(Phase phase) {
  switch (phase) {
    case Phase::startup:
      return "startup";
    case Phase::drain:
      return "drain";
    case Phase::down:
      return "probe_bw_down";
    case Phase::cruise:
      return "probe_bw_cruise";
    case Phase::refill:
      return "probe_bw_refill";
    case Phase::up:
      return "probe_bw_up";
    case Phase::probe_rtt:
      return "probe_rtt";
  }
  return "?";
}

}  // namespace quell::cc::bbr3
