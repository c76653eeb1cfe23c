#include "quell/net/monotonic_clock.h"

#include <time.h>

namespace quell::net {

TimePoint now() {
  timespec t{};
  clock_gettime(CLOCK_MONOTONIC, &t);
  return TimePoint{seconds{t.tv_sec} + nanoseconds{t.tv_nsec}};
}

}  // namespace quell::net
