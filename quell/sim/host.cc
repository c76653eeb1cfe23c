#include "quell/sim/host.h"

#include <algorithm>
#include <utility>

namespace quell::sim {

TimePoint Host::on_grid(TimePoint t) const {
  const auto step = config_.timer_granularity.count();
  if (step <= 0) return t;
  const auto ticks = t.time_since_epoch().count();
  return TimePoint{Duration{(ticks + step - 1) / step * step}};
}

std::optional<TimePoint> Host::next_turn() {
  std::optional<TimePoint> due = node_.next_wake();
  if (due) *due = on_grid(*due);
  if (!arrivals_.empty() && (!due || arrivals_.front().at < *due)) due = arrivals_.front().at;
  if (!due) return std::nullopt;
  return std::max(*due + config_.wake_latency, free_at_);
}

void Host::run_turn(const Send& send, const Recycle& recycle, TimePoint now) {
  const std::size_t received = handle_arrivals(recycle, now);
  node_.handle_timeout(now);
  TimePoint leaves_at = now + config_.turn_cost + config_.datagram_cost * received;
  const auto emit = [&](Bytes datagram, const Envelope& envelope) {
    leaves_at += config_.datagram_cost;
    send(datagram, envelope, leaves_at);
  };
  node_.drain(emit, now);
  free_at_ = leaves_at;
}

std::size_t Host::handle_arrivals(const Recycle& recycle, TimePoint now) {
  const std::size_t limit = config_.clock == ClockReading::per_event ? 1 : arrivals_.size();
  std::size_t count = 0;
  while (count < limit && !arrivals_.empty() && arrivals_.front().at <= now) {
    Arrival arrival = std::move(arrivals_.front());
    arrivals_.pop_front();
    node_.handle_datagram(arrival.bytes, arrival.envelope, now);
    recycle(std::move(arrival.bytes));
    ++count;
  }
  return count;
}

}  // namespace quell::sim
