// Who sees everything that happens between the two ends?
#pragma once

#include "quell/base/time.h"
#include "quell/base/units.h"
#include "quell/path/path.h"
#include "quell/wire/types.h"

namespace quell::sim {

struct TappedDatagram {
  Side from = Side::client;
  Bytes bytes;  // as sent, protected; valid for the call
  Ecn ecn = Ecn::not_ect;
  path::Passage passage;
};

class Tap {
 public:
  virtual ~Tap() = default;
  virtual void on_datagram(const TappedDatagram& /*datagram*/, TimePoint /*now*/) {}
  // A host has finished a turn of its loop; `next_turn` is when it wants the next one, if ever.
  virtual void after_turn(Side /*host*/, std::optional<TimePoint> /*next_turn*/, TimePoint /*now*/) {}
};

}  // namespace quell::sim
