#include "quell/path/dual_pi2.h"

#include <algorithm>
#include <utility>

namespace quell::path {

DualPi2::DualPi2(const DualPi2Config& config, TimePoint start)
    : config_(config), period_(std::min(config.target, config.rtt_max / 3)) {
  // RFC 9332 §A.1: the gains, for the longest RTT that the queue shall be stable at.
  const double rtt_max = to_seconds(config.rtt_max);
  alpha_ = 0.1 * to_seconds(period_) / (rtt_max * rtt_max);
  beta_ = 0.3 / rtt_max;
  next_update_ = start + period_;
}

Duration DualPi2::Fifo::delay(TimePoint now) const {
  return packets.empty() ? Duration{0} : now - packets.front().sent_at;
}

Packet DualPi2::Fifo::take() {
  Packet packet = std::move(packets.front());
  packets.pop_front();
  bytes -= packet.bytes.size();
  return packet;
}

bool DualPi2::Fifo::recurs(double likelihood) {
  owed += likelihood;
  if (owed <= 1) return false;
  owed -= 1;
  return true;
}

void DualPi2::enqueue(Packet packet, TimePoint now) {
  update_until(now);
  // RFC 9331 §5.1: ECT(1) and CE are the identifier of the low-latency queue.
  Fifo& fifo = packet.ecn == Ecn::ect1 || packet.ecn == Ecn::ce ? low_ : classic_;
  fifo.bytes += packet.bytes.size();
  fifo.packets.push_back(std::move(packet));
}

// Between calls the queues hold the same packets, so updates that are overdue find what they would have found
// in time.
void DualPi2::update_until(TimePoint now) {
  while (next_update_ <= now) {
    update(next_update_);
    next_update_ += period_;
    if (base_ <= 0 && bytes() == 0) {  // nothing to catch up with: an idle hour takes one step
      const auto missed = std::max((now - next_update_) / period_, Duration::rep{0});
      next_update_ += missed * period_;
    }
  }
}

// RFC 9332 §A.1, dualpi2_update.
void DualPi2::update(TimePoint now) {
  const Duration delay = std::max(classic_.delay(now), low_.delay(now));
  base_ += alpha_ * to_seconds(delay - config_.target) + beta_ * to_seconds(delay - previous_delay_);
  // p'² never above 1/k²: then k·p' is one, and the classic queue is as far as coupling can take it.
  base_ = std::clamp(base_, 0.0, std::min(1 / config_.coupling, 1.0));
  previous_delay_ = delay;
}

// Weighted round robin: the classic queue earns its share of each byte that the other one sends.
bool DualPi2::is_low_next() {
  if (low_.packets.empty() || classic_.packets.empty()) {
    credit_ = 0;
    return !low_.packets.empty();
  }
  const auto classic_size = static_cast<double>(classic_.packets.front().bytes.size());
  if (credit_ >= classic_size) {
    credit_ -= classic_size;
    return false;
  }
  credit_ += static_cast<double>(low_.packets.front().bytes.size()) * config_.classic_share /
             (1 - config_.classic_share);
  return true;
}

// The ramp of the low-latency queue's own AQM.
double DualPi2::native_probability(Duration delay) const {
  if (delay <= config_.ramp_from) return 0;
  if (delay >= config_.ramp_from + config_.ramp_over) return 1;
  return to_seconds(delay - config_.ramp_from) / to_seconds(config_.ramp_over);
}

bool DualPi2::survives_low(Packet& packet, Duration delay, bool is_alone) {
  const double coupled = config_.coupling * base_;
  if (coupled < 1) {
    // A lone packet waits for the link, not for a queue (RFC 9332 §A.1, Th_len).
    const double native = is_alone ? 0 : native_probability(delay);
    if (low_.recurs(std::max(native, coupled))) packet.ecn = Ecn::ce;
    return true;
  }
  // Overload: marks alone no longer help, so it drops as the classic queue does and marks what is left.
  if (low_.recurs(base_ * base_)) return false;
  packet.ecn = Ecn::ce;
  return true;
}

bool DualPi2::survives_classic(Packet& packet) {
  const double coupled = config_.coupling * base_;
  if (!classic_.recurs(base_ * base_)) return true;
  if (packet.ecn == Ecn::not_ect || coupled >= 1) return false;
  packet.ecn = Ecn::ce;
  return true;
}

std::optional<Packet> DualPi2::dequeue(std::vector<Packet>& dropped, TimePoint now) {
  update_until(now);
  while (bytes() > 0) {
    const bool is_low = is_low_next();
    Fifo& fifo = is_low ? low_ : classic_;
    const Duration delay = fifo.delay(now);
    Packet packet = fifo.take();
    const bool survives =
        is_low ? survives_low(packet, delay, fifo.packets.empty()) : survives_classic(packet);
    if (survives) return packet;
    dropped.push_back(std::move(packet));
  }
  return std::nullopt;
}

}  // namespace quell::path
