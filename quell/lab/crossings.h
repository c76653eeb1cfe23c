// What came through the bottleneck, and how long did it wait there? All flows, on the way that carries data.
#pragma once

#include <cstdint>
#include <vector>

#include "quell/sim/tap.h"

namespace quell::lab {

class Crossings {
 public:
  // `sender`: the end whose packets count.
  explicit Crossings(Side sender) : way_(sender == Side::client ? path::Way::up : path::Way::down) {}

  struct Crossing {
    TimePoint left_at;  // the bottleneck
    Duration waited{0};
    std::uint32_t size = 0;
    std::uint32_t flow = 0;
  };
  struct Drop {
    TimePoint at;
    std::uint32_t flow = 0;
  };

  void on_entered(const sim::Tap::Entered& datagram, TimePoint now);
  void on_left(path::Fate fate, const path::Packet& packet, TimePoint now);

  path::Way way() const { return way_; }
  // Of each flow in the order in which they left; flows of different length may be mixed up a little.
  const std::vector<Crossing>& crossings() const { return crossings_; }
  const std::vector<Drop>& drops() const { return drops_; }  // for whatever reason
  // Bytes of one flow that left the bottleneck in [from, to) and arrived.
  double bytes_of(std::uint32_t flow, TimePoint from, TimePoint to) const;

 private:
  path::Way way_;
  std::vector<Crossing> crossings_;
  std::vector<Drop> drops_;
};

}  // namespace quell::lab
