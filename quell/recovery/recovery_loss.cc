// Recovery, losses: what they take off, and the one answer per round trip that the controller gives (RFC 9002
// §7.3, §7.6).
#include <algorithm>

#include "quell/recovery/persistent_congestion.h"
#include "quell/recovery/recovery.h"
#include "quell/recovery/rules_in_force.h"

namespace quell {

void Recovery::detect_losses(Space space, TimePoint now) {
  PerSpace& state = at(space);
  if (!state.largest_acked) return;
  lost_numbers_.clear();
  state.loss_time = find_lost(state.packets, *state.largest_acked, loss_delay(rtt_), lost_numbers_, now);
  if (lost_numbers_.empty()) return;
  const ByteCount in_flight_before = bytes_in_flight_;
  const LossTally tally = settle_lost(space, now);
  if (tally.newest) respond_to_loss(space, tally, in_flight_before, now);
}

Recovery::LossTally Recovery::settle_lost(Space space, TimePoint now) {
  PerSpace& state = at(space);
  const EcnValidation::State ecn_before = ecn_.state();
  LossTally tally;
  lost_packets_.clear();
  for (const LostNumber& lost : lost_numbers_) {
    SentPacket& packet = state.packets[lost.number];
    ecn_.on_lost(packet.ecn);
    if (!rule::counts_when_lost(packet)) {
      state.packets.forget(lost.number);
      continue;
    }
    state.packets.mark_lost(lost.number, now);
    state.packets.append_frames(packet, lost_frames_);
    const ByteCount leaving = packet.is_in_flight ? packet.size : 0;
    bytes_in_flight_ = rule::taken_out_of_flight(bytes_in_flight_, leaving);
    if (packet.is_ack_eliciting) --state.ack_eliciting_in_flight;
    ++stats_.packets_lost;
    stats_.bytes_lost += packet.size;
    if (sink_) {
      sink_->packet_lost(
          {.space = space, .number = lost.number, .size = packet.size, .trigger = lost.trigger}, now);
    }
    if (!rule::is_congestion_when_lost(packet)) continue;
    congestion_lost_ += packet.size;
    tally.bytes += packet.size;
    tally.newest = lost.number;
    tally.newest_sent_at = packet.sent_at;
    if (packet.is_ack_eliciting) tally.newest_ack_eliciting = lost.number;
    lost_packets_.push_back({.number = lost.number,
                             .bytes = packet.size,
                             .sent_at = packet.sent_at,
                             .in_flight_at_send = packet.in_flight_at_send,
                             .lost_at_send = packet.lost_at_send,
                             .delivered_at_send = packet.delivered_at_send,
                             .is_app_limited = packet.is_app_limited});
  }
  note_ecn_state(ecn_before, now);
  return tally;
}

void Recovery::respond_to_loss(Space space, const LossTally& tally, ByteCount in_flight_before,
                               TimePoint now) {
  has_cause_ = true;
  floor_watch_.on_loss_or_mark();
  controller_->on_packets_lost({.lost_bytes = tally.bytes,
                                .in_flight_after = bytes_in_flight_,
                                .total_lost = congestion_lost_,
                                .total_delivered = sampler_.delivered(),
                                .packets = lost_packets_},
                               now);
  if (*tally.newest >= at(space).recovery_boundary) {
    begin_episode({.cause = cc::CongestionCause::loss,
                   .lost_bytes = tally.bytes,
                   .in_flight = in_flight_before,
                   .episode = 0,
                   .sent_at = tally.newest_sent_at},
                  now);
  }
  for (const cc::LostPacket& lost : lost_packets_) at(space).packets[lost.number].episode = episode_;
  episode_lost_ += lost_packets_.size();
  if (tally.newest_ack_eliciting) check_persistent_congestion(space, tally, in_flight_before, now);
}

// One cut per round trip: the boundary is where each space's numbers stand now, and only the loss of a later
// packet begins another episode. A number cannot run ahead of what was sent.
void Recovery::begin_episode(const cc::CongestionEvent& event, TimePoint now) {
  cc::CongestionEvent numbered = event;
  numbered.episode = ++episode_;
  in_recovery_ = true;
  episode_lost_ = 0;
  episode_late_ = 0;
  is_episode_undoable_ = event.cause == cc::CongestionCause::loss;
  for (PerSpace& state : spaces_) {
    state.boundary_before_episode = state.recovery_boundary;
    state.recovery_boundary = state.packets.next_number();
  }
  ++stats_.congestion_events;
  if (controller_->traits().wants_prr) prr_.begin(flight_before_event_);
  controller_->on_congestion(numbered, now);
  note_state(event.cause == cc::CongestionCause::loss ? "loss" : "ecn", now);
}

void Recovery::check_persistent_congestion(Space space, const LossTally& tally, ByteCount in_flight_before,
                                           TimePoint now) {
  if (!rtt_.has_sample()) return;
  const LostRun run{
      .space = space, .newest = *tally.newest_ack_eliciting, .after_ordinal = persistent_after_ordinal_};
  const Ledgers ledgers{&spaces_[0].packets, &spaces_[1].packets, &spaces_[2].packets};
  if (!is_persistent_congestion(ledgers, run, persistent_congestion_duration(rtt_, peer_max_ack_delay_)))
    return;
  persistent_after_ordinal_ = at(space).packets[run.newest].ordinal;
  rtt_.on_persistent_congestion();
  // The episode is over without an exit: the controller begins anew. The boundary stays where it is, so that
  // packets sent before neither cut nor grow the window again. Choice: RFC 9002 Appendix B.8 lets them do
  // both.
  ++episode_;
  in_recovery_ = false;
  prr_.end();
  is_episode_undoable_ = false;
  for (PerSpace& state : spaces_) state.recovery_boundary = state.packets.next_number();
  ++stats_.persistent_congestion_events;
  controller_->on_congestion({.cause = cc::CongestionCause::persistent,
                              .lost_bytes = tally.bytes,
                              .in_flight = in_flight_before,
                              .episode = episode_,
                              .sent_at = tally.newest_sent_at},
                             now);
  note_state("persistent_congestion", now);
}

void Recovery::exit_recovery(Duration growth, TimePoint now) {
  in_recovery_ = false;
  prr_.end();
  controller_->on_recovery_exit(growth, now);
  note_state("recovery_exit", now);
}

// Every packet of the episode arrived after all: the cut was for nothing. A controller that takes it back is
// where it was before the episode, so the episode ends here, without an exit, and its boundary goes with it:
// a real loss among the packets that were in flight is a cut of its own.
void Recovery::check_spurious_episode(TimePoint now) {
  if (!is_episode_undoable_ || episode_late_ == 0 || episode_late_ != episode_lost_) return;
  is_episode_undoable_ = false;
  in_recovery_ = false;
  prr_.end();
  for (PerSpace& state : spaces_) state.recovery_boundary = state.boundary_before_episode;
  ++stats_.spurious_episodes;
  controller_->on_spurious(episode_, now);
  note_state("spurious_loss", now);
}

}  // namespace quell
