// BBRv3, ACKs: the model learns, the phase follows, rate and window come out (draft §5.2.3, §5.6). Included
// by bbr3_machine.h.
#pragma once

#include "quell/cc/bbr3_machine.h"

namespace quell::cc::bbr3 {

template <class Parts>
void Machine<Parts>::on_ack(const AckEvent& event, TimePoint now) {
  if (event.acked_bytes == 0) return;
  total_delivered_ = event.total_delivered;
  if (!has_rtt_ && event.rtt.smoothed > Duration{0}) {
    has_rtt_ = true;
    pacing_.init(initial_cwnd(), pacing_gain(Phase::startup), event.rtt.smoothed);
  }
  const Sample sample = read(event, now);
  update_model(sample, now);
  pacing_.set(pacing_gain(phase_), bandwidth_, full_pipe_.was_reached());
  set_cwnd(sample);
}

template <class Parts>
Sample Machine<Parts>::read(const AckEvent& event, TimePoint now) const {
  const DeliveryRateSample& from = event.delivery;
  const bool has_packets = !event.packets.empty();
  return {.rate = from.interval > Duration{0} ? from.rate.bytes_per_second() : 0,
          .delivered = static_cast<double>(from.delivered),
          .newly_acked = static_cast<double>(event.acked_bytes),
          .in_flight = static_cast<double>(event.in_flight_after),
          .tx_in_flight = static_cast<double>(from.in_flight_at_send),
          .lost = static_cast<double>(from.lost_since_send),
          // Of the packet sent last (draft §4.2); the transport's own sample may be that of an earlier ACK.
          .rtt = has_packets ? now - event.packets.back().sent_at : Duration{-1},
          .prior_delivered = from.prior_delivered,
          .total_delivered = event.total_delivered,
          .is_app_limited = from.is_app_limited || probe_rtt_.limits(from.prior_delivered)};
}

template <class Parts>
void Machine<Parts>::update_model(const Sample& sample, TimePoint now) {
  signals_.begin_ack(sample);
  round_.on_ack(sample.prior_delivered, sample.total_delivered);
  if (round_.is_start()) on_round_start();
  max_bandwidth_.on_ack(sample);
  if (signals_.is_round_end()) respond_to_lossy_round();
  aggregation_.on_ack(sample.newly_acked, bandwidth_, cwnd_, round_.count(), full_pipe_.was_reached(), now);
  full_pipe_.on_ack(sample, round_.is_start());
  check_startup_done(sample);
  check_drain_done(sample, now);
  update_cycle(sample, now);
  min_rtt_.on_ack(sample.rtt, now);
  check_probe_rtt(sample, now);
  signals_.end_ack(sample);
  bandwidth_ = std::min(max_bandwidth_.value(), short_term_.bandwidth);
}

template <class Parts>
void Machine<Parts>::on_round_start() {
  wait_.on_round();
  was_cwnd_limited_ = is_cwnd_limited_now_;
  is_cwnd_limited_now_ = false;
}

// Draft §5.5.10.3.
template <class Parts>
void Machine<Parts>::respond_to_lossy_round() {
  if (signals_.has_loss() && !is_probing(phase_)) {
    short_term_.on_lossy_round(signals_, max_bandwidth_.value(), cwnd_);
  }
  signals_.forgive_loss();
}

// Draft §5.3.1.
template <class Parts>
void Machine<Parts>::check_startup_done(const Sample& sample) {
  if (phase_ != Phase::startup) return;
  if (signals_.is_round_end() && startup_loss_.on_loss_round_end(sample)) {
    undo_.left = Phase::startup;
    leave_startup_full();
  } else if (full_pipe_.was_reached()) {
    enter(Phase::drain);
  }
}

// Draft §5.3.2. The queue is drained, or the bandwidth was overestimated and it will never be.
template <class Parts>
void Machine<Parts>::check_drain_done(const Sample& sample, TimePoint now) {
  constexpr std::uint64_t kMostRounds = 3;
  if (phase_ != Phase::drain) return;
  if (sample.in_flight <= inflight(1) || round_.count() > drain_start_round_ + kMostRounds) start_down(now);
}

// Draft §5.3.4.3.
template <class Parts>
void Machine<Parts>::check_probe_rtt(const Sample& sample, TimePoint now) {
  if (phase_ != Phase::probe_rtt && min_rtt_.is_probe_due() && !is_idle_restart_) enter_probe_rtt();
  if (phase_ == Phase::probe_rtt) {
    probe_rtt_.on_ack(sample, probe_rtt_cwnd(), round_, now);
    if (probe_rtt_.has_round_passed() && probe_rtt_.is_time_over(now)) leave_probe_rtt(now);
  }
  if (sample.delivered > 0) is_idle_restart_ = false;
}

// Draft §5.6.4.6.
template <class Parts>
void Machine<Parts>::set_cwnd(const Sample& sample) {
  const double wanted = with_quantization(bdp(bandwidth_, cwnd_gain(phase_)) + aggregation_.extra_acked());
  if (full_pipe_.was_reached()) {
    cwnd_ = std::min(cwnd_ + sample.newly_acked, wanted);
  } else if (cwnd_ < wanted || static_cast<double>(sample.total_delivered) < initial_cwnd()) {
    cwnd_ += sample.newly_acked;
  }
  cwnd_ = std::max(cwnd_, least());
  if (phase_ == Phase::probe_rtt) cwnd_ = std::min(cwnd_, probe_rtt_cwnd());
  cwnd_ = std::min({cwnd_, std::max(bound_of_model(), least()), static_cast<double>(kMostWindow)});
}

// Draft §5.6.4.7. Choice: as in its pseudocode, the long-term bound does not hold in Drain, which its table
// of §5.6.1 says otherwise; at half the rate nothing is sent there that could go beyond it.
template <class Parts>
double Machine<Parts>::bound_of_model() const {
  if (phase_ == Phase::cruise || phase_ == Phase::probe_rtt) {
    return std::min(long_term_.with_headroom(packet(), least()), short_term_.inflight);
  }
  if (is_probe_bw(phase_)) return std::min(long_term_.inflight(), short_term_.inflight);
  return short_term_.inflight;
}

// Draft §5.6.4.2.
template <class Parts>
double Machine<Parts>::bdp(double bandwidth, double gain) const {
  const auto min_rtt = min_rtt_.value();
  if (!min_rtt) return initial_cwnd();
  return gain * bandwidth * to_seconds(*min_rtt);
}

// Draft §5.6.4.2, and §5.5.8 for QUIC: a quantum is always in the making.
template <class Parts>
double Machine<Parts>::with_quantization(double inflight) const {
  const double enough = std::max({inflight, quantum(), least()});
  return phase_ == Phase::up ? enough + 2 * packet() : enough;
}

}  // namespace quell::cc::bbr3
