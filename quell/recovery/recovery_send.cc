// Recovery, outbound: what may leave now, and what has left.
#include <algorithm>

#include "quell/base/check.h"
#include "quell/recovery/recovery.h"

namespace quell {
namespace {

// RFC 9002 §7.7: N = 1.25. Choice: 2 in slow start, where the window doubles in each round trip.
constexpr double kPacingGain = 1.25;
constexpr double kPacingGainSlowStart = 2;
// Choice: RTTs below a microsecond (simulated ones may be zero) are paced as a microsecond.
constexpr Duration kLeastPacedRtt = microseconds{1};

}  // namespace

SendBudget Recovery::send_budget(TimePoint now) {
  const EcnValidation::State ecn_before = ecn_.state();
  ecn_.on_time(pto(), now);
  note_ecn_state(ecn_before, now);

  const ByteCount left = window_left();
  if (left == 0) return {.bytes = 0, .limit = SendBudget::Limit::window, .retry_at = {}};
  pacer_.set_rate(pacing_rate(), controller_->send_quantum(), now);
  const ByteCount paced = pacer_.available(left, now);
  if (paced >= left) return {.bytes = left, .limit = SendBudget::Limit::window, .retry_at = {}};
  pacer_retry_at_ = pacer_.release_at(paced, left - paced);
  return {.bytes = paced, .limit = SendBudget::Limit::pacer, .retry_at = pacer_retry_at_};
}

// While PRR brings the window down, its word replaces the window's: early in an episode more is in flight
// than the window that was cut, and packets leave all the same; after heavy loss less is, and they leave one
// by one. The pacer spaces either.
ByteCount Recovery::window_left() const {
  if (prr_.is_active()) return prr_.budget(bytes_in_flight_, config_.max_datagram_size);
  const ByteCount window = cwnd();
  return window > bytes_in_flight_ ? window - bytes_in_flight_ : 0;
}

Rate Recovery::pacing_rate() const {
  if (!config_.pacing || !rtt_.has_sample()) return Rate::unlimited();
  const Duration rtt = std::max(rtt_.smoothed(), kLeastPacedRtt);
  if (controller_->traits().sets_pacing_rate) {
    // Choice: a packet per round trip at least, whatever a controller says. Zero would be silence for ever.
    const Rate least = Rate::of(config_.max_datagram_size, rtt);
    return std::max(least, controller_->pacing_rate().value_or(Rate::unlimited()));
  }
  const ByteCount window = cwnd();
  const auto ssthresh = controller_->ssthresh();
  const bool is_slow_start = !ssthresh || window < *ssthresh;
  return Rate::of(window, rtt) * (is_slow_start ? kPacingGainSlowStart : kPacingGain);
}

void Recovery::on_sent(const SentPacketInfo& info, TimePoint now) {
  QUELL_CHECK(info.number == at(info.space).packets.next_number());
  note_sent(info, now);
  if (info.space != Space::application || !skips_.is_due(info.number + 1)) return;
  at(info.space).packets.skip();
  skips_.on_skipped(cwnd() / config_.max_datagram_size);
}

void Recovery::note_sent(const SentPacketInfo& info, TimePoint now) {
  ++stats_.packets_sent;
  stats_.bytes_sent += info.size;
  has_sent_untraced_ = true;
  const ByteCount in_flight_before = bytes_in_flight_;
  if (info.is_in_flight && in_flight_before == 0) note_idle_restart(now);
  SentPacket& packet = record(info, now);
  if (info.ecn != Ecn::not_ect) ecn_.on_sent(info.space, info.ecn, now);
  if (!info.is_in_flight) {
    PerSpace& state = at(info.space);
    state.acks_unheard = state.ack_eliciting_in_flight > 0 ? state.acks_unheard + 1 : 0;
    state.packets.trim(now - 3 * pto());
    return;
  }
  sampler_.on_sent(packet, in_flight_before == 0);
  pacer_.on_sent(info.size);
  if (prr_.is_active()) prr_.on_sent(info.size);
  last_activity_ = now;
  controller_->on_sent({.number = info.number,
                        .bytes = info.size,
                        .in_flight_before = in_flight_before,
                        .is_app_limited = packet.is_app_limited},
                       now);
}

SentPacket& Recovery::record(const SentPacketInfo& info, TimePoint now) {
  PerSpace& state = at(info.space);
  SentPacket& packet = state.packets.add(info.frames);
  if (info.is_in_flight) bytes_in_flight_ += info.size;
  packet.sent_at = now;
  packet.ordinal = next_ordinal_++;
  packet.size = static_cast<std::uint32_t>(info.size);
  packet.ecn = info.ecn;
  packet.is_in_flight = info.is_in_flight;
  packet.is_ack_eliciting = info.is_ack_eliciting;
  packet.is_mtu_probe = info.is_mtu_probe;
  packet.in_flight_at_send = bytes_in_flight_;
  packet.lost_at_send = congestion_lost_;
  // It would have filled the window without pacing (RFC 9002 §7.8).
  packet.is_window_limited = bytes_in_flight_ + config_.max_datagram_size >= cwnd() ||
                             info.ready_bytes_after >= cwnd() - bytes_in_flight_ - config_.max_datagram_size;
  if (info.is_ack_eliciting && info.is_in_flight) {
    ++state.ack_eliciting_in_flight;
    state.last_ack_eliciting_sent_at = now;
    timer_set_at_ = now;
    if (probes_owed_[index(info.space)] > 0) --probes_owed_[index(info.space)];
  }
  return packet;
}

void Recovery::note_idle_restart(TimePoint now) {
  if (!last_activity_) return;
  const Duration gap = now - *last_activity_;
  if (gap > Duration{0}) controller_->on_idle_restart(gap, now);
}

void Recovery::on_transmit_ended(TransmitEnd reason, ByteCount ready_bytes, TimePoint now) {
  pacer_.wait(reason == TransmitEnd::pacer ? pacer_retry_at_ : std::nullopt, now);
  const bool is_stopped = reason == TransmitEnd::window || reason == TransmitEnd::pacer;
  const ByteCount window = cwnd();
  const ByteCount used = bytes_in_flight_ + config_.max_datagram_size;
  // PRR stands for the window: what it holds back would have left under a window that is full.
  const bool fills_window =
      used >= window || ready_bytes >= window - used || (prr_.is_active() && ready_bytes > 0);
  growth_.set_limited(is_stopped && fills_window, now);
  // draft-ietf-ccwg-bbr §4.1.1.3.1: a receiver that takes no more is a bottleneck like any other.
  if (reason == TransmitEnd::nothing_to_send && bytes_in_flight_ < window)
    sampler_.mark_app_limited(bytes_in_flight_);
  floor_watch_.observe(is_pinned());
  note_state("sent", now);  // historic controllers change their state by sending
  if (has_sent_untraced_) trace_metrics(now);
  if (sink_ != nullptr && traced_end_ != reason) {
    traced_end_ = reason;
    sink_->transmit_ended({reason}, now);
  }
}

}  // namespace quell
