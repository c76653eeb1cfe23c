#include "quell/recovery/recovery.h"

#include <algorithm>

#include "quell/base/check.h"
#include "quell/recovery/rules_in_force.h"

namespace quell {
namespace {

ByteCount floor_of(const cc::Controller& controller, ByteCount max_datagram_size) {
  return rule::least_window(controller.traits().least_window_packets, max_datagram_size);
}

}  // namespace

Recovery::Recovery(Side side, const RecoveryConfig& config, cc::ControllerPtr controller, trace::Sink* sink)
    : config_(config),
      controller_(std::move(controller)),
      sink_(sink),
      floor_(floor_of(*controller_, config.max_datagram_size)),
      rtt_(config.initial_rtt),
      ecn_(config.ecn),
      skips_(config.skips),
      pacer_(config.max_datagram_size),
      reported_state_(controller_->state()) {
  // Clients validate a server's address implicitly (RFC 9002 Appendix A.8).
  facts_.peer_validated_address = side == Side::server;
}

void Recovery::begin_event() {
  acked_frames_.clear();
  lost_frames_.clear();
  newly_.clear();
  late_.clear();
  lost_numbers_.clear();
  acked_packets_.clear();
  flight_before_event_ = bytes_in_flight_;
}

PacketNumber Recovery::next_packet_number(Space space) const {
  return at(space).packets.next_number();
}

std::optional<PacketNumber> Recovery::largest_acked(Space space) const {
  return at(space).largest_acked;
}

ByteCount Recovery::cwnd() const {
  return std::max(controller_->cwnd(), floor_);
}

Duration Recovery::pto() const {
  return rtt_.pto_base() + peer_max_ack_delay_;
}

Duration Recovery::growth_clock(TimePoint now) const {
  return growth_.read(now);
}

Ecn Recovery::ecn_codepoint() const {
  return ecn_.codepoint();
}

bool Recovery::is_pinned() const {
  return growth_.is_limited() && cwnd() <= floor_;
}

void Recovery::set_handshake_facts(const HandshakeFacts& facts, TimePoint now) {
  if (facts == facts_) return;
  facts_ = facts;
  timer_set_at_ = now;
}

void Recovery::limit_datagram_size(ByteCount largest, TimePoint now) {
  if (largest < config_.max_datagram_size) set_datagram_size(largest, now);
}

void Recovery::raise_datagram_size(ByteCount size, TimePoint now) {
  if (size > config_.max_datagram_size) set_datagram_size(size, now);
}

void Recovery::set_datagram_size(ByteCount size, TimePoint now) {
  const ByteCount before = config_.max_datagram_size;
  config_.max_datagram_size = size;
  floor_ = floor_of(*controller_, size);
  pacer_.set_datagram_size(size);
  controller_->on_mtu(before, size, now);
}

void Recovery::on_path_reset(TimePoint now) {
  ++episode_;
  in_recovery_ = false;
  prr_.end();
  is_episode_undoable_ = false;
  for (PerSpace& state : spaces_) state.recovery_boundary = state.packets.next_number();
  persistent_after_ordinal_ = next_ordinal_ - 1;
  rtt_ = RttEstimator{config_.initial_rtt};
  ecn_.restart();
  pacer_ = Pacer{config_.max_datagram_size};
  pto_count_ = 0;
  timer_set_at_ = now;
  controller_->on_path_reset(now);
  note_state("path_reset", now);
}

void Recovery::discard_space(Space space, TimePoint now) {
  release_outstanding(space, nullptr);
  pto_count_ = 0;
  timer_set_at_ = now;
}

std::span<const SentFrame> Recovery::on_retry(TimePoint now) {
  begin_event();
  release_outstanding(Space::initial, &lost_frames_);
  pto_count_ = 0;
  timer_set_at_ = now;
  return lost_frames_;
}

std::span<const SentFrame> Recovery::resend_unacked(Space space) {
  begin_event();
  collect_unacked(space, at(space).packets.outstanding().total(), lost_frames_);
  return lost_frames_;
}

// Takes a space's packets out of flight without saying anything about the path.
void Recovery::release_outstanding(Space space, std::vector<SentFrame>* frames) {
  PerSpace& state = at(space);
  ByteCount released = 0;
  for (const Range& range : state.packets.outstanding().ranges()) {
    for (PacketNumber n = range.first; n < range.end; ++n) {
      const SentPacket& packet = state.packets[n];
      if (packet.is_in_flight) released += packet.size;
      if (frames != nullptr) state.packets.append_frames(packet, *frames);
      ecn_.on_discarded(packet.ecn);
    }
  }
  QUELL_CHECK(released <= bytes_in_flight_);
  bytes_in_flight_ -= released;
  state.packets.clear();
  state.loss_time.reset();
  state.ack_eliciting_in_flight = 0;
  probes_owed_[index(space)] = 0;
}

// The controller's state, and recovery while an episode lasts unless the controller speaks for itself.
void Recovery::note_state(std::string_view trigger, TimePoint now) {
  const bool speaks_for_itself = controller_->traits().owns_recovery_state;
  const cc::State state = !speaks_for_itself && in_recovery_ ? cc::State::recovery : controller_->state();
  if (state == reported_state_) return;
  if (state == cc::State::recovery) {
    ++stats_.recovery_entries;
    if (!has_cause_) ++stats_.recovery_entries_without_cause;
    has_cause_ = false;
  }
  if (sink_) sink_->congestion_state_updated({.from = reported_state_, .to = state, .trigger = trigger}, now);
  reported_state_ = state;
}

void Recovery::note_ecn_state(EcnValidation::State before, TimePoint now) {
  if (sink_ == nullptr || before == ecn_.state()) return;
  sink_->ecn_state_updated({.from = before, .to = ecn_.state()}, now);
}

void Recovery::trace_metrics(TimePoint now) {
  has_sent_untraced_ = false;
  if (sink_ == nullptr) return;
  const Rate rate = pacing_rate();
  sink_->recovery_metrics({.min_rtt = rtt_.min(),
                           .smoothed_rtt = rtt_.smoothed(),
                           .latest_rtt = rtt_.latest(),
                           .rtt_variance = rtt_.variance(),
                           .pto_count = pto_count_,
                           .cwnd = cwnd(),
                           .bytes_in_flight = bytes_in_flight_,
                           .max_datagram_size = config_.max_datagram_size,
                           .ssthresh = controller_->ssthresh(),
                           .pacing_rate = rate.is_unlimited() ? Rate{} : rate,
                           .total_delivered = sampler_.delivered(),
                           .total_lost = stats_.bytes_lost,
                           .growth_clock = growth_.read(now),
                           .is_window_limited = growth_.is_limited(),
                           .floor_rounds_without_loss = stats_.floor_rounds_without_loss},
                          now);
}

}  // namespace quell
