// What does the path know of a datagram while it carries it?
#pragma once

#include <cstdint>
#include <vector>

#include "quell/path/config.h"
#include "quell/wire/types.h"

namespace quell::path {

enum class Fate : std::uint8_t {
  delivered,  // or still on its way
  lost_by_chance,
  dropped_by_script,
  thinned,
  queue_full,
  dropped_by_queue,  // by CoDel or DualPI2
  policed,
  too_large,
  black_holed,  // for its ECN bits
  unmapped      // sent to a port that the NAT has forgotten
};
const char* to_string(Fate fate);

struct Packet {
  std::vector<std::uint8_t> bytes;
  Way way = Way::up;
  std::uint32_t flow = 0;
  std::uint32_t binding = 0;  // which of the client's ports, counted from 0 (NAT rebinding)
  Ecn ecn = Ecn::not_ect;
  TimePoint sent_at{};    // entered the path
  Duration waited{0};     // in the queue; its transmission is not counted
  TimePoint leaves_at{};  // the bottleneck, transmission done
};

}  // namespace quell::path
