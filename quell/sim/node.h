// What can a host run? Anything that takes datagrams, gives datagrams and wants to be woken; above all an
// Endpoint with its application.
#pragma once

#include <functional>
#include <optional>

#include "quell/base/time.h"
#include "quell/base/units.h"
#include "quell/wire/types.h"

namespace quell::sim {

// A datagram at one end of the path. `binding` tells from which of the client's ports it came, or to which it
// goes: 0, until a NAT on the path picks another; a client knows nothing of it.
struct Envelope {
  Ecn ecn = Ecn::not_ect;
  std::uint32_t binding = 0;
};

class Node {
 public:
  virtual ~Node() = default;
  // May write into `bytes`.
  virtual void handle_datagram(MutableBytes bytes, const Envelope& envelope, TimePoint now) = 0;
  virtual void handle_timeout(TimePoint now) = 0;
  // Works and sends until nothing is left; one call of `emit` per datagram.
  using Emit = std::function<void(Bytes datagram, const Envelope& envelope)>;
  virtual void drain(const Emit& emit, TimePoint now) = 0;
  // When handle_timeout or drain wants to be called; nothing: never.
  virtual std::optional<TimePoint> next_wake() = 0;
};

}  // namespace quell::sim
