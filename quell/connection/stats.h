// What can be said of a connection in numbers?
#pragma once

#include <cstdint>

#include "quell/base/time.h"
#include "quell/base/units.h"
#include "quell/recovery/recovery.h"

namespace quell {

struct ConnectionStats {
  Recovery::Stats recovery;
  std::uint64_t packets_received = 0;
  ByteCount bytes_received = 0;         // UDP payload
  ByteCount stream_bytes_sent = 0;      // first transmissions
  ByteCount stream_bytes_received = 0;  // handed to the application
  std::uint64_t packets_dropped = 0;
  std::uint64_t key_updates = 0;
  Duration min_rtt{0};
  Duration smoothed_rtt{0};
  ByteCount cwnd = 0;
  ByteCount bytes_in_flight = 0;
  Duration growth_clock{0};
};

}  // namespace quell
