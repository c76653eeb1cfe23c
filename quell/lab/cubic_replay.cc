#include "quell/lab/cubic_replay.h"

#include <algorithm>
#include <cmath>

namespace quell::lab {

void CubicReplay::packet_sent(const trace::Packet& packet, TimePoint now) {
  ledger_.on_sent(packet, now);
  is_filling_.push_back(false);
}

void CubicReplay::packet_received(const trace::Packet& packet, TimePoint /*now*/) {
  const Ledger::Heard heard = ledger_.on_received(packet);
  acked_.insert(acked_.end(), heard.packets.begin(), heard.packets.end());
}

void CubicReplay::packet_lost(const trace::PacketLost& lost, TimePoint /*now*/) {
  newly_lost_.push_back(ledger_.on_lost(lost).ordinal);
  lost_names_.emplace_back(lost.space, lost.number);
}

void CubicReplay::spurious_loss(const trace::SpuriousLoss& spurious, TimePoint /*now*/) {
  late_.emplace_back(spurious.space, spurious.number);
}

void CubicReplay::congestion_state_updated(const trace::CongestionStateUpdated& update, TimePoint /*now*/) {
  if (update.trigger == "ecn") is_marked_ = true;
  if (update.trigger == "persistent_congestion") is_persistent_ = true;
}

void CubicReplay::handshake_progress(const trace::HandshakeProgress& progress, TimePoint /*now*/) {
  if (progress.milestone == trace::HandshakeProgress::Milestone::confirmed) ledger_.on_confirmed();
}

double CubicReplay::seconds_limited(TimePoint now) const {
  return to_seconds(limited_ + (limited_since_ ? now - *limited_since_ : Duration{0}));
}

// RFC 9002 §7.8: without pacing the window would have been full, to within a packet.
void CubicReplay::on_turn(ByteCount backlog, TimePoint now) {
  const ByteCount used = ledger_.in_flight() + packet_;
  const bool is_limited = used >= cwnd_ || backlog >= cwnd_ - used;
  for (std::uint64_t n = turn_begins_at_; n < is_filling_.size(); ++n) is_filling_[n] = is_limited;
  turn_begins_at_ = is_filling_.size();
  if (limited_since_) limited_ += now - *limited_since_;
  limited_since_ = is_limited && backlog > 0 ? std::optional{now} : std::nullopt;
}

void CubicReplay::recovery_metrics(const trace::RecoveryMetrics& metrics, TimePoint now) {
  packet_ = metrics.max_datagram_size;
  const double srtt = to_seconds(metrics.smoothed_rtt);
  hear_late();
  hear_acked(srtt, now);
  cwnd_ = metrics.cwnd;
  if (oracle_ && !acked_.empty()) compare(metrics, now);
  acked_.clear();
  newly_lost_.clear();
  lost_names_.clear();
  late_.clear();
  is_marked_ = is_persistent_ = false;
}

// RFC 9438 §4.9.2, once every packet of the episode has come late.
void CubicReplay::hear_late() {
  for (const auto& name : late_) {
    const auto lost = lost_in_.find(name);
    if (lost != lost_in_.end() && lost->second == episode_.number) ++episode_.late;
  }
  if (!oracle_ || late_.empty() || !episode_.is_undoable || episode_.late != episode_.lost) return;
  oracle_->spurious();
  episode_.is_undoable = false;
  in_recovery_ = false;
}

void CubicReplay::hear_acked(double srtt, TimePoint now) {
  const bool is_exit = std::ranges::any_of(acked_, [&](const auto& a) { return a.ordinal >= boundary_; });
  if (in_recovery_ && is_exit) {
    in_recovery_ = false;
    oracle_->begin_stage(seconds_limited(now));
  }
  if (hear_lost()) return;  // what was acknowledged had been sent before the cut
  if (oracle_ && !in_recovery_) grow(srtt, now);
}

// True: a congestion event.
bool CubicReplay::hear_lost() {
  const bool is_new =
      std::ranges::any_of(newly_lost_, [&](std::uint64_t ordinal) { return ordinal >= boundary_; });
  if (is_new || is_marked_) cut(is_new && !is_marked_);
  for (const auto& name : lost_names_) lost_in_[name] = episode_.number;
  episode_.lost += lost_names_.size();
  if (is_persistent_ && oracle_) {
    oracle_->persistent_congestion();
    boundary_ = ledger_.sent();
    in_recovery_ = false;
    episode_.is_undoable = false;
  }
  return is_new || is_marked_ || is_persistent_;
}

void CubicReplay::cut(bool may_be_spurious) {
  if (!oracle_) oracle_.emplace(static_cast<double>(cwnd_) / static_cast<double>(packet_));
  oracle_->congestion(may_be_spurious);
  episode_ = {.number = episode_.number + 1, .lost = 0, .late = 0, .is_undoable = may_be_spurious};
  in_recovery_ = true;
  boundary_ = ledger_.sent();
}

void CubicReplay::grow(double srtt, TimePoint now) {
  ByteCount growable = 0;
  for (const Ledger::Acked& acked : acked_) {
    if (acked.ordinal >= boundary_ && is_filling_[acked.ordinal]) growable += acked.size;
  }
  if (growable == 0) return;
  oracle_->ack(static_cast<double>(growable) / static_cast<double>(packet_), seconds_limited(now), srtt);
}

void CubicReplay::compare(const trace::RecoveryMetrics& metrics, TimePoint now) {
  const double theirs = static_cast<double>(metrics.cwnd) / static_cast<double>(packet_);
  const double distance = std::abs(theirs - oracle_->cwnd());
  ++comparisons_;
  if (distance <= distance_) return;
  distance_ = distance;
  farthest_at_ = now;
}

}  // namespace quell::lab
