// What do the tests of loss-based controllers share? All of them, and the events of a lossless second.
#pragma once

#include "quell/cc/cubic.h"
#include "quell/cc/loop_for_test.h"
#include "quell/cc/reno.h"

namespace quell::cc::test {

struct Kind {
  const char* name;
  ControllerPtr (*make)(const Config&);
  double beta;
};
inline constexpr Kind kKinds[] = {{"reno", make_reno, 0.5},
                                  {"cubic", make_cubic, 0.7},
                                  {"reno_classic", make_reno_classic, 0.5},
                                  {"cubic_classic", make_cubic_classic, 0.7}};

inline ControllerPtr make(const Kind& kind, ByteCount packets) {
  return kind.make({.max_datagram_size = kPacket, .initial_window = packets * kPacket});
}

// Of a sender that has always filled its window.
inline AckEvent ack(ByteCount growable, Duration clock, Duration rtt = milliseconds{100}) {
  return {.acked_bytes = growable,
          .growable_bytes = growable,
          .in_flight_before = kMostWindow,
          .rtt = {.latest = rtt, .min = rtt, .smoothed = rtt},
          .growth_clock = clock};
}

inline void cut(Controller& controller, std::uint64_t episode,
                CongestionCause cause = CongestionCause::loss) {
  controller.on_congestion({.cause = cause, .episode = episode}, TimePoint{});
}

// One loss and its recovery are over; the growth clock stands at zero.
inline ControllerPtr in_avoidance(const Kind& kind, ByteCount packets_before_the_cut) {
  auto controller = make(kind, packets_before_the_cut);
  cut(*controller, 1);
  controller->on_recovery_exit(Duration{0}, TimePoint{});
  return controller;
}

}  // namespace quell::cc::test
