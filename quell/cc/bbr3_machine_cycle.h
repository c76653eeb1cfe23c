// BBRv3, phases: what does entering each of them set, and when does ProbeBW move on? (draft §5.3.3, §5.3.4)
// Included by bbr3_machine.h.
#pragma once

#include "quell/cc/bbr3_machine.h"

namespace quell::cc::bbr3 {

template <class Parts>
void Machine<Parts>::enter(Phase phase) {
  phase_ = phase;
  if (phase == Phase::drain) drain_start_round_ = round_.count();
}

template <class Parts>
void Machine<Parts>::start_down(TimePoint now) {
  signals_.reset();
  long_term_.stop_growth();
  wait_.draw(now);
  ack_phase_ = AckPhase::probe_stopping;
  round_.start(total_delivered_);
  enter(Phase::down);
}

// The short-term model is forgotten: from here on it is the path that says what is too much.
template <class Parts>
void Machine<Parts>::start_refill() {
  short_term_ = {};
  long_term_.begin_growth();
  prev_probe_precautionary_ = false;
  ack_phase_ = AckPhase::refilling;
  round_.start(total_delivered_);
  enter(Phase::refill);
}

template <class Parts>
void Machine<Parts>::start_up(const Sample& sample) {
  is_bw_probe_sample_ = true;
  ack_phase_ = AckPhase::probe_starting;
  round_.start(total_delivered_);
  full_pipe_.restart(sample.rate);
  enter(Phase::up);
  long_term_.steepen(cwnd_, packet());
}

template <class Parts>
void Machine<Parts>::enter_probe_rtt() {
  save_cwnd();
  probe_rtt_.begin(total_delivered_);
  ack_phase_ = AckPhase::probe_stopping;
  round_.start(total_delivered_);
  enter(Phase::probe_rtt);
}

// Draft §5.3.4.4. Little is in flight now: DOWN, which sets the clock of the next probe, has nothing to do.
template <class Parts>
void Machine<Parts>::leave_probe_rtt(TimePoint now) {
  min_rtt_.schedule_probe(now);
  restore_cwnd();
  short_term_ = {};
  if (!full_pipe_.was_reached()) return enter(Phase::startup);
  start_down(now);
  enter(Phase::cruise);
}

// Draft §5.3.3.8: UpdateProbeBWCyclePhase.
template <class Parts>
void Machine<Parts>::update_cycle(const Sample& sample, TimePoint now) {
  if (!full_pipe_.was_reached()) return;
  if (adapt_long_term(sample)) return;
  switch (phase_) {
    case Phase::down:
    case Phase::cruise:
      if (wait_.is_over(target_inflight() / packet(), now)) return start_refill();
      if (phase_ == Phase::down && is_time_to_cruise(sample)) enter(Phase::cruise);
      return;
    case Phase::refill:
      if (round_.is_start()) start_up(sample);
      return;
    case Phase::up:
      if (!is_time_to_go_down(sample)) return;
      prev_probe_too_high_ = false;  // no high loss yet
      return start_down(now);
    case Phase::startup:
    case Phase::drain:
    case Phase::probe_rtt:
      return;
  }
}

// True: a phase has begun.
template <class Parts>
bool Machine<Parts>::adapt_long_term(const Sample& sample) {
  if (ack_phase_ == AckPhase::probe_starting && round_.is_start()) ack_phase_ = AckPhase::probe_feedback;
  if (ack_phase_ == AckPhase::probe_stopping && round_.is_start() && end_of_probe_feedback(sample)) {
    return true;
  }
  if (is_inflight_too_high(sample.lost, sample.tx_in_flight) || !long_term_.is_set()) return false;
  long_term_.raise_to(sample.tx_in_flight);
  if (phase_ == Phase::up) grow_long_term(sample);
  return false;
}

// The last ACK of what was sent while probing. A cautious probe that did no harm is followed by a bold one at
// once (draft §5.3.3.5). True: that has begun.
template <class Parts>
bool Machine<Parts>::end_of_probe_feedback(const Sample& sample) {
  is_bw_probe_sample_ = false;
  ack_phase_ = AckPhase::init;
  if (!is_probe_bw(phase_)) return false;
  if (!sample.is_app_limited) max_bandwidth_.advance();
  if (!prev_probe_precautionary_ || prev_probe_too_high_) return false;
  start_refill();
  return true;
}

template <class Parts>
void Machine<Parts>::grow_long_term(const Sample& sample) {
  if (!is_cwnd_limited() || cwnd_ < long_term_.inflight()) return;
  long_term_.grow(sample.newly_acked, packet());
  if (round_.is_start()) long_term_.steepen(cwnd_, packet());
}

template <class Parts>
bool Machine<Parts>::is_time_to_cruise(const Sample& sample) const {
  return sample.in_flight <= long_term_.with_headroom(packet(), least()) &&
         sample.in_flight <= with_quantization(bdp(max_bandwidth_.value(), 1));
}

// Draft §5.3.3.6: too risky (after a probe that went too high), or full. While the long-term bound is what
// limits the flow, it cannot tell what the path would bear.
template <class Parts>
bool Machine<Parts>::is_time_to_go_down(const Sample& sample) {
  if (prev_probe_too_high_ && sample.in_flight >= long_term_.inflight()) {
    prev_probe_precautionary_ = true;
    return true;
  }
  if (is_cwnd_limited() && cwnd_ >= long_term_.inflight()) {
    full_pipe_.restart(sample.rate);
    return false;
  }
  return full_pipe_.is_full_now();
}

}  // namespace quell::cc::bbr3
