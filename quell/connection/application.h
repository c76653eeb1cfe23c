// Who uses an endpoint, and how do network and simulation drive both in the same way? One drain loop for all.
#pragma once

#include <optional>

#include "quell/base/time.h"
#include "quell/connection/endpoint.h"

namespace quell {

// What runs on top of an endpoint. `on_wake` polls events and reads and writes streams; it is called after
// every batch of input and after timers, so it must do nothing when there is nothing.
class Application {
 public:
  virtual ~Application() = default;
  virtual void on_wake(Endpoint& endpoint, TimePoint now) = 0;
  // When the application itself wants to be woken.
  virtual std::optional<TimePoint> next_wake() const { return std::nullopt; }
};

// Lets the application work and sends until neither has anything left. `send(transmit, bytes)` gives false
// when the network takes no more for now: the burst then counts as sent (QUIC repairs it), and draining
// stops.
template <typename Send>
void drain(Endpoint& endpoint, Application& application, MutableBytes buffer, std::size_t max_segments,
           Send&& send, TimePoint now) {
  for (;;) {
    application.on_wake(endpoint, now);
    bool sent_any = false;
    while (const auto transmit = endpoint.poll_transmit(buffer, max_segments, now)) {
      sent_any = true;
      if (!send(*transmit, Bytes{buffer}.first(transmit->size))) return;
    }
    if (!sent_any) return;
  }
}

}  // namespace quell
