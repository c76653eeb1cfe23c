// BBRv3, what is no ACK: losses and what takes them back, marks, and restarts (draft §5.2.4, §5.4, §5.5.10,
// §5.5.11). Included by bbr3_machine.h.
#pragma once

#include "quell/cc/bbr3_machine.h"

namespace quell::cc::bbr3 {

template <class Parts>
void Machine<Parts>::on_packets_lost(const LossEvent& event, TimePoint now) {
  before_losses_ = {short_term_, long_term_.inflight()};
  left_phase_.reset();
  total_delivered_ = event.total_delivered;
  // The draft counts packet by packet; this batch is in the total already.
  double total_lost = static_cast<double>(event.total_lost) - static_cast<double>(event.lost_bytes);
  for (const LostPacket& packet : event.packets) {
    total_lost += static_cast<double>(packet.bytes);
    on_lost(packet, total_lost, now);
  }
}

// Draft §5.5.10.2: HandleLostPacket.
template <class Parts>
void Machine<Parts>::on_lost(const LostPacket& packet, double total_lost, TimePoint now) {
  signals_.on_loss(total_delivered_);
  if (phase_ == Phase::startup) startup_loss_.on_lost(packet.number);
  if (!is_bw_probe_sample_) return;
  const auto tx_in_flight = static_cast<double>(packet.in_flight_at_send);
  const double lost = total_lost - static_cast<double>(packet.lost_at_send);
  if (!is_inflight_too_high(lost, tx_in_flight)) return;
  const bool is_app_limited = packet.is_app_limited || probe_rtt_.limits(packet.delivered_at_send);
  on_inflight_too_high(inflight_at_loss(static_cast<double>(packet.bytes), tx_in_flight, lost),
                       is_app_limited, now);
}

// Once per probe.
template <class Parts>
void Machine<Parts>::on_inflight_too_high(double tx_in_flight, bool is_app_limited, TimePoint now) {
  prev_probe_too_high_ = true;
  is_bw_probe_sample_ = false;
  if (!is_app_limited) long_term_.set(std::max(tx_in_flight, target_inflight() * kBeta));
  if (phase_ != Phase::up) return;
  left_phase_ = undo_.left = Phase::up;
  start_down(now);
}

// Draft §5.3.1.3.
template <class Parts>
void Machine<Parts>::leave_startup_full() {
  full_pipe_.declare_full();
  long_term_.set(std::max(bdp(bandwidth_, 1), signals_.inflight()));
  enter(Phase::drain);
}

template <class Parts>
void Machine<Parts>::on_congestion(const CongestionEvent& event, TimePoint now) {
  save_cwnd();
  undo_ = {};
  in_recovery_ = event.cause != CongestionCause::persistent;
  switch (event.cause) {
    case CongestionCause::loss:
      undo_ = {event.episode, before_losses_, left_phase_};
      return;
    case CongestionCause::persistent:
      // Draft §5.6.4.4 does so upon TCP's RTO; this is what QUIC has for it. The model stays, and the window
      // comes back as data is acknowledged.
      cwnd_ = least();
      return;
    case CongestionCause::ecn_ce:
      // Choice: the draft (§3.7) leaves the answer open but wants marks taken for congestion. A mark is a
      // round with losses, and while probing a sign of too much in flight.
      signals_.on_loss(total_delivered_);
      if (phase_ == Phase::startup) return leave_startup_full();
      if (is_bw_probe_sample_) on_inflight_too_high(static_cast<double>(event.in_flight), false, now);
      return;
  }
}

template <class Parts>
void Machine<Parts>::on_recovery_exit(Duration /*growth_clock*/, TimePoint /*now*/) {
  in_recovery_ = false;
  restore_cwnd();
}

// Draft §5.5.11.2.
template <class Parts>
void Machine<Parts>::on_spurious(std::uint64_t episode, TimePoint /*now*/) {
  in_recovery_ = false;
  if (undo_.episode != episode) return;
  const Undo undo = undo_;
  undo_ = {};
  restore_cwnd();
  signals_.forgive_loss();
  full_pipe_.restart();
  short_term_.restore(undo.model.short_term);
  long_term_.raise_to(undo.model.long_term);
  if (undo.left == Phase::startup && phase_ != Phase::startup) {
    full_pipe_.withdraw();
    if (phase_ != Phase::probe_rtt) enter(Phase::startup);
  } else if (undo.left == Phase::up && phase_ != Phase::up) {
    if (phase_ != Phase::probe_rtt) start_refill();
  }
}

// Draft §5.6.4.4.
template <class Parts>
void Machine<Parts>::save_cwnd() {
  const bool is_modulated = in_recovery_ || phase_ == Phase::probe_rtt;
  prior_cwnd_ = is_modulated ? std::max(prior_cwnd_, cwnd_) : cwnd_;
}

template <class Parts>
void Machine<Parts>::on_sent(const SentEvent& event, TimePoint now) {
  // As RFC 9002 §7.8 has it: no room for another packet.
  if (static_cast<double>(event.in_flight_before + event.bytes) + packet() >= cwnd_) {
    is_cwnd_limited_now_ = true;
  }
  // It is the application that had nothing to send: a window that every ACK empties is not idle.
  if (event.in_flight_before == 0 && event.is_app_limited) restart_from_idle(now);
}

// Draft §5.4.1. Silence has drained the queue as well as ProbeRTT would have.
template <class Parts>
void Machine<Parts>::restart_from_idle(TimePoint now) {
  if constexpr (!Parts::kHearsIdleRestart) return;
  is_idle_restart_ = true;
  aggregation_.restart(now);
  if (is_probe_bw(phase_)) {
    pacing_.set(1, bandwidth_, full_pipe_.was_reached());
  } else if (phase_ == Phase::probe_rtt && probe_rtt_.is_time_over(now)) {
    leave_probe_rtt(now);
  }
}

template <class Parts>
void Machine<Parts>::on_mtu(ByteCount /*old_size*/, ByteCount new_size, TimePoint /*now*/) {
  // RFC 9002 §7.2: a window that is still the initial one is computed anew.
  const bool is_untouched = total_delivered_ == 0 && cwnd_ == initial_cwnd();
  config_.max_datagram_size = new_size;
  cwnd_ = is_untouched ? initial_cwnd() : std::max(cwnd_, least());
}

// What is drawn next goes on where it was: a new path is no reason to repeat old draws.
template <class Parts>
void Machine<Parts>::on_path_reset(TimePoint /*now*/) {
  Machine fresh{config_};
  fresh.wait_ = wait_;
  fresh.total_delivered_ = total_delivered_;
  *this = fresh;
}

}  // namespace quell::cc::bbr3
