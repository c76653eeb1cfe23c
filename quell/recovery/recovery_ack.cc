// Recovery, inbound: what an ACK frame tells (RFC 9002 Appendix A.7).
#include <algorithm>

#include "quell/recovery/recovery.h"
#include "quell/recovery/rules_in_force.h"

namespace quell {
namespace {

// Choice: a lost packet stays in the ledger for three PTOs. An ACK that arrives in that time is how we learn
// that the loss was spurious; later than that, memory matters more.
constexpr int kPtosToRememberLost = 3;

}  // namespace

Result<AckOutcome> Recovery::on_ack(Space space, const AckFrame& ack, Duration ack_delay, TimePoint now) {
  PerSpace& state = at(space);
  if (rule::was_never_sent(ack.largest, state.packets.next_number())) {
    return fail(TransportError::protocol_violation, "ACK of a packet that was never sent",
                static_cast<std::uint64_t>(FrameType::ack));
  }
  if (space == Space::application && rule::betrays_a_liar(skips_.are_covered_by(ack))) {
    return fail(TransportError::protocol_violation, "ACK of a packet number that was skipped",
                static_cast<std::uint64_t>(FrameType::ack));
  }
  begin_event();
  state.packets.take_acked(ack, newly_, late_);
  if (!late_.empty()) take_late(space, now);
  if (newly_.empty()) return AckOutcome{.acked = acked_frames_, .lost = {}, .newly_acked_any = false};

  const Duration growth = growth_.read(now);
  const ByteCount in_flight_before = bytes_in_flight_;
  AckTally tally = take_newly_acked(space, now);
  const PacketNumber largest = rule::believed_largest(ack.largest, state.packets.next_number());
  const bool raises_largest = !state.largest_acked || largest > *state.largest_acked;
  if (raises_largest) state.largest_acked = largest;
  sample_rtt(ack, tally, ack_delay, now);
  if (in_recovery_ && tally.largest >= state.recovery_boundary) exit_recovery(growth, now);
  const std::uint64_t episode_before = episode_;
  const EcnCounts marks = process_ecn(space, ack, tally, raises_largest, now);
  detect_losses(space, now);
  meter_reduction(space, tally.bytes);

  AckTally growing = tally;
  if (episode_ != episode_before) growing.growable = 0;  // all of it was sent before the new episode
  tell_acked(growing, marks, in_flight_before, growth, now);

  probes_owed_[index(space)] = 0;
  state.acks_unheard = 0;
  if (facts_.peer_validated_address) pto_count_ = 0;
  timer_set_at_ = now;
  last_activity_ = now;
  state.packets.trim(now - kPtosToRememberLost * pto());
  trace_metrics(now);
  return AckOutcome{.acked = acked_frames_, .lost = lost_frames_, .newly_acked_any = true};
}

Recovery::AckTally Recovery::take_newly_acked(Space space, TimePoint now) {
  AckTally tally;
  // The ranges came largest first.
  for (auto range = newly_.rbegin(); range != newly_.rend(); ++range) {
    for (PacketNumber n = range->first; n < range->end; ++n) settle_acked(space, n, tally, now);
  }
  tally.largest = newly_.front().end - 1;
  tally.largest_sent_at = at(space).packets[tally.largest].sent_at;
  return tally;
}

void Recovery::settle_acked(Space space, PacketNumber number, AckTally& tally, TimePoint now) {
  PerSpace& state = at(space);
  const SentPacket& packet = state.packets[number];
  state.packets.append_frames(packet, acked_frames_);
  ++stats_.packets_acked;
  stats_.bytes_acked += packet.size;
  if (packet.ecn == Ecn::ect0) ++tally.ect0;
  if (!packet.is_in_flight) return;
  bytes_in_flight_ = rule::taken_out_of_flight(bytes_in_flight_, packet.size);
  tally.bytes += packet.size;
  if (packet.is_ack_eliciting) {
    tally.has_ack_eliciting = true;
    --state.ack_eliciting_in_flight;
  }
  if (packet.is_window_limited && number >= state.recovery_boundary) tally.growable += packet.size;
  sampler_.on_acked(packet, now);
  acked_packets_.push_back({.number = number, .bytes = packet.size, .sent_at = packet.sent_at});
}

// Packets that had been declared lost: their frames arrived after all.
void Recovery::take_late(Space space, TimePoint now) {
  PerSpace& state = at(space);
  for (auto range = late_.rbegin(); range != late_.rend(); ++range) {
    for (PacketNumber n = range->first; n < range->end; ++n) {
      const SentPacket& packet = state.packets[n];
      state.packets.append_frames(packet, acked_frames_);
      ++stats_.spurious_losses;
      bytes_in_flight_ = rule::taken_out_of_flight(bytes_in_flight_, rule::leaves_flight_when_late(packet));
      if (packet.episode == episode_ && !packet.is_mtu_probe) ++episode_late_;
      if (sink_) sink_->spurious_loss({.space = space, .number = n}, now);
    }
  }
  check_spurious_episode(now);
}

void Recovery::sample_rtt(const AckFrame& ack, AckTally& tally, Duration ack_delay, TimePoint now) {
  if (tally.largest != ack.largest || !tally.has_ack_eliciting) return;
  // RFC 9002 §5.3: the peer's max_ack_delay binds it once the handshake is confirmed.
  const Duration believed = facts_.is_confirmed ? std::min(ack_delay, peer_max_ack_delay_) : ack_delay;
  // RFC 9002 §7.6.2. An ordinal, not a time: the answer to an ACK leaves at the same instant.
  if (!rtt_.has_sample()) persistent_after_ordinal_ = next_ordinal_ - 1;
  rtt_.add_sample(now - tally.largest_sent_at, believed, now);
  tally.has_rtt_sample = true;
}

EcnCounts Recovery::process_ecn(Space space, const AckFrame& ack, const AckTally& tally, bool raises_largest,
                                TimePoint now) {
  if (!raises_largest) {  // RFC 9000 §13.4.2.1: reordered ACKs prove nothing
    ecn_.on_acked(tally.ect0);
    return {};
  }
  const EcnValidation::State before = ecn_.state();
  const EcnCounts marks = ecn_.on_ack(space, ack.ecn, tally.ect0);
  note_ecn_state(before, now);
  if (marks.ce == 0) return marks;
  has_cause_ = true;
  floor_watch_.on_loss_or_mark();
  if (tally.largest >= at(space).recovery_boundary) {
    begin_episode({.cause = cc::CongestionCause::ecn_ce,
                   .lost_bytes = 0,
                   .in_flight = bytes_in_flight_,
                   .episode = 0,
                   .sent_at = tally.largest_sent_at},
                  now);
  } else {
    // The episode's cut answers this mark too: it may no longer be taken back.
    is_episode_undoable_ = false;
  }
  return marks;
}

// RFC 9937's SafeACK asks for a cumulative ACK that advances and reveals no loss. Choice: what advances here
// is the oldest packet that is neither acknowledged nor lost; the ACK of a packet sent in the episode, which
// would be the exact counterpart, ends the episode (RFC 9002 §7.3.2).
void Recovery::meter_reduction(Space space, ByteCount delivered) {
  if (!prr_.is_active()) return;
  const auto& missing = at(space).packets.outstanding().ranges();
  const bool advances = missing.empty() || newly_.back().first < missing.front().first;
  prr_.on_ack({.delivered = delivered,
               .in_flight = bytes_in_flight_,
               .target = cwnd(),
               .is_safe = advances && lost_numbers_.empty(),
               .packet = config_.max_datagram_size});
}

void Recovery::tell_acked(const AckTally& tally, const EcnCounts& marks, ByteCount in_flight_before,
                          Duration growth, TimePoint now) {
  cc::AckEvent event;
  event.acked_bytes = tally.bytes;
  event.growable_bytes = tally.growable;
  event.in_flight_before = in_flight_before;
  event.in_flight_after = bytes_in_flight_;
  event.rtt.is_new = tally.has_rtt_sample;
  if (rtt_.has_sample()) {
    event.rtt.latest = rtt_.latest();
    event.rtt.min = rtt_.min();
    event.rtt.smoothed = rtt_.smoothed();
  }
  event.growth_clock = growth;
  event.in_recovery = in_recovery_;
  event.total_delivered = sampler_.delivered();
  event.ect0_delta = marks.ect0;
  event.ect1_delta = marks.ect1;
  event.ce_delta = marks.ce;
  event.delivery = sampler_.take_sample(rtt_.min(), congestion_lost_);
  event.packets = acked_packets_;
  controller_->on_ack(event, now);
  note_state("ack", now);
  const PerSpace& application = at(Space::application);
  if (application.largest_acked &&
      floor_watch_.on_ack(*application.largest_acked, application.packets.next_number(), is_pinned())) {
    ++stats_.floor_rounds_without_loss;
  }
}

}  // namespace quell
