// Who sees everything that happens between the two ends?
#pragma once

#include <optional>

#include "quell/base/time.h"
#include "quell/path/packet.h"
#include "quell/wire/types.h"

namespace quell::sim {

// One of the two hosts of a flow.
struct Place {
  std::uint32_t flow = 0;
  Side side = Side::client;
  bool operator==(const Place&) const = default;
};

class Tap {
 public:
  virtual ~Tap() = default;
  // A datagram has entered the path (`delivered`: so far), or was stopped there.
  struct Entered {
    Place from;
    ByteCount size = 0;
    Ecn ecn = Ecn::not_ect;  // as sent
    path::Fate fate = path::Fate::delivered;
  };
  virtual void on_entered(const Entered& /*datagram*/, TimePoint /*now*/) {}
  // It has come out at the other end, or was dropped inside; `packet` is valid for the call.
  virtual void on_left(path::Fate /*fate*/, const path::Packet& /*packet*/, TimePoint /*now*/) {}
  // A host has finished a turn of its loop; `next_turn` is when it wants the next one, if ever.
  virtual void after_turn(const Place& /*host*/, std::optional<TimePoint> /*next_turn*/, TimePoint /*now*/) {}
};

}  // namespace quell::sim
