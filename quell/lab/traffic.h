// What went over the path for one flow, and what did its hosts do for it? Seen from outside, by the tap.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "quell/sim/host.h"
#include "quell/sim/tap.h"

namespace quell::lab {

class Traffic {
 public:
  explicit Traffic(Side sender) : sender_(sender) {}

  struct Delivery {
    TimePoint at;
    std::uint32_t size = 0;
  };

  void on_entered(const sim::Tap::Entered& datagram) { ++of(datagram.from.side).datagrams; }
  void on_left(path::Fate fate, const path::Packet& packet, TimePoint now);
  void on_turn(Side host) { ++of(host).turns; }
  // What has been until now does not count, deliveries apart.
  void restart() { work_ = {}; }

  // What reached the end that receives, in the order of arrival.
  const std::vector<Delivery>& deliveries() const { return deliveries_; }
  // Bytes of the sender that came through since restart().
  ByteCount carried() const { return of(sender_).bytes; }
  // Processor time since restart(), as sim::Host spends it.
  Duration busy(Side host, const sim::HostConfig& config) const;

 private:
  struct Work {
    std::uint64_t turns = 0;
    std::uint64_t datagrams = 0;  // in and out
    ByteCount bytes = 0;          // out, delivered
  };
  Work& of(Side host) { return work_[static_cast<std::size_t>(host)]; }
  const Work& of(Side host) const { return work_[static_cast<std::size_t>(host)]; }

  Side sender_;
  std::vector<Delivery> deliveries_;
  std::array<Work, 2> work_{};
};

}  // namespace quell::lab
