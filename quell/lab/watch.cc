#include "quell/lab/watch.h"

#include <algorithm>
#include <utility>

namespace quell::lab {

void Watch::packet_sent(const trace::Packet& packet, TimePoint now) {
  ledger_.on_sent(packet, now);
  use_.on_sent();
  gates_.on_sent(packet);
  if (!packet.is_in_flight) return;
  if (peaks_.empty() || ledger_.in_flight() > peaks_.back().in_flight) {
    peaks_.push_back({now, ledger_.in_flight()});
  }
  if (confirmed_at_ && last_flight_at_ && now - *last_flight_at_ > longest_silence_.length()) {
    longest_silence_ = {*last_flight_at_, now};
  }
  last_flight_at_ = now;
}

void Watch::packet_received(const trace::Packet& packet, TimePoint now) {
  const Ledger::Heard heard = ledger_.on_received(packet);
  total_acked_ += heard.acked_bytes;
  for (const Ledger::Acked& acked : heard.packets) {
    if (use_.was_filling(acked.ordinal)) total_filling_acked_ += acked.size;
  }
  gates_.on_received(packet, heard.is_ack_eliciting, now);
  if (heard.newest_sent_at) acks_.push_back({now, *heard.newest_sent_at});
}

void Watch::packet_lost(const trace::PacketLost& lost, TimePoint now) {
  const Ledger::Lost entry = ledger_.on_lost(lost);
  has_double_exit_ = has_double_exit_ || !entry.was_in_flight;
  use_.on_lost();
  losses_.push_back({now, entry.sent_at});
  newest_lost_ = std::max(newest_lost_.value_or(entry.ordinal), entry.ordinal);
  if (keep_series_) series_.loss_times_s.push_back(seconds_since_start(now));
}

void Watch::spurious_loss(const trace::SpuriousLoss& /*spurious*/, TimePoint now) {
  late_acks_.push_back(now);
}

void Watch::recovery_metrics(const trace::RecoveryMetrics& metrics, TimePoint now) {
  max_datagram_size_ = metrics.max_datagram_size;
  rtt_ = {metrics.smoothed_rtt, metrics.rtt_variance};
  gates_.on_pto_count(metrics.pto_count);
  note_window(metrics.cwnd, now);
  if (!keep_series_) return;
  const double t = seconds_since_start(now);
  const auto add = [t](std::vector<Point>& curve, ByteCount value) {
    const double v = static_cast<double>(value);
    if (curve.empty() || curve.back().value != v) curve.push_back({t, v});
  };
  add(series_.cwnd, metrics.cwnd);
  add(series_.in_flight, metrics.bytes_in_flight);
  if (metrics.ssthresh) add(series_.ssthresh, *metrics.ssthresh);
  add(series_.delivered, metrics.total_delivered);
  add(series_.lost, metrics.total_lost);
}

void Watch::note_window(ByteCount cwnd, TimePoint now) {
  if (!windows_.empty() && windows_.back().cwnd == cwnd) {
    newest_lost_.reset();
    return;
  }
  if (!windows_.empty() && cwnd < windows_.back().cwnd) {
    if (newest_lost_ && *newest_lost_ < cut_boundary_) ++doubled_cuts_;
    cut_boundary_ = ledger_.sent();
  }
  newest_lost_.reset();
  windows_.push_back({now, cwnd});
}

void Watch::transmit_ended(const trace::TransmitEnded& ended, TimePoint /*now*/) {
  last_end_ = ended.reason;
}

void Watch::congestion_state_updated(const trace::CongestionStateUpdated& update, TimePoint now) {
  if (update.trigger == "ecn") ++marks_;
  if (update.to == cc::State::recovery) recovery_entries_.push_back(now);
  if (update.from == cc::State::recovery) recovery_exits_.push_back(now);
  if (!keep_series_) return;
  const double t = seconds_since_start(now);
  if (series_.states.empty()) series_.states.push_back({0, t, update.from});
  series_.states.back().to_s = t;
  series_.states.push_back({t, t, update.to});  // stays open until the next update
}

void Watch::handshake_progress(const trace::HandshakeProgress& progress, TimePoint now) {
  if (progress.milestone != trace::HandshakeProgress::Milestone::confirmed) return;
  confirmed_at_ = now;
  ledger_.on_confirmed();
  use_.on_confirmed();
}

void Watch::end_turn(ByteCount backlog) {
  const ByteCount cwnd = windows_.empty() ? 0 : windows_.back().cwnd;
  use_.on_turn_end({cwnd, max_datagram_size_, ledger_.in_flight(), backlog});
  gates_.on_turn_end();
}

ByteCount Watch::cwnd_at(TimePoint t) const {
  const auto after = std::ranges::upper_bound(windows_, t, {}, &Window::at);
  return after == windows_.begin() ? 0 : std::prev(after)->cwnd;
}

Series Watch::take_series(TimePoint end) {
  series_.end_s = seconds_since_start(end);
  if (series_.states.empty()) {
    series_.states.push_back({0, series_.end_s, cc::State::slow_start});
  } else {
    series_.states.back().to_s = series_.end_s;
  }
  return std::move(series_);
}

}  // namespace quell::lab
