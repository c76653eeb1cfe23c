#include "quell/lab/conduct.h"

#include <algorithm>
#include <cmath>

#include "quell/wire/transport_parameters.h"

namespace quell::lab {
namespace {

constexpr Duration kGranularity = milliseconds{1};  // RFC 9002 §6.1.2
constexpr Duration kLongestPto = hours{24};         // the transport's own choice
// What the pacer promises (RFC 9002 §7.7 and our own choice for fast paths).
constexpr double kBurstPackets = 10;
constexpr Duration kBurstTime = milliseconds{2};

// RFC 9002 §6.2.1.
Duration pto_of(const trace::RecoveryMetrics& metrics, Duration max_ack_delay) {
  const Duration base =
      metrics.smoothed_rtt + std::max(4 * metrics.rtt_variance, kGranularity) + max_ack_delay;
  const double factor = std::pow(2.0, metrics.pto_count);
  return from_seconds(std::min(to_seconds(base) * factor, to_seconds(kLongestPto)));
}

double bytes_in(double rate, Duration d) {
  return rate * to_seconds(d);
}

}  // namespace

void Conduct::packet_lost(const trace::PacketLost& lost, TimePoint /*now*/) {
  if (metrics_.max_datagram_size > 0 && lost.size > metrics_.max_datagram_size) ++mtu_probes_lost_;
}

void Conduct::packet_received(const trace::Packet& packet, TimePoint now) {
  if (lied_at_ || packet.type != PacketType::one_rtt || packet.number != lie_) return;
  lied_at_ = now;
}

void Conduct::packet_sent(const trace::Packet& packet, TimePoint now) {
  if (!packet.is_in_flight) return;
  if (packet.is_pto_probe) {
    note_probe(now);
  } else {
    note_burst(packet.size, now);
  }
  last_eliciting_at_ = now;
}

// The packets of one PTO leave at one time, and count as one probe.
void Conduct::note_probe(TimePoint now) {
  if (!confirmed_at_ || (!probes_.empty() && probes_.back().at == now)) return;
  probes_.push_back({now, pto_of(metrics_, max_ack_delay_)});
  const Duration gap = now - *last_eliciting_at_;
  if (last_gap_ > Duration{0}) {
    const double growth = to_seconds(gap) / to_seconds(last_gap_);
    least_growth_ = least_growth_ > 0 ? std::min(least_growth_, growth) : growth;
    most_growth_ = std::max(most_growth_, growth);
  }
  last_gap_ = gap;
}

void Conduct::note_burst(ByteCount size, TimePoint now) {
  const double packet = static_cast<double>(metrics_.max_datagram_size);
  if (packet <= 0 || metrics_.smoothed_rtt <= Duration{0} || metrics_.min_rtt <= Duration{0}) return;
  // An unpaced sender has no rate of its own: slow start's pace is the most that it would have.
  const double rate = metrics_.pacing_rate.is_zero()
                          ? 2 * static_cast<double>(metrics_.cwnd) / to_seconds(metrics_.smoothed_rtt)
                          : metrics_.pacing_rate.bytes_per_second();
  const double most = std::max(kBurstPackets * packet, bytes_in(rate, kBurstTime));
  burst_level_ = std::max(0.0, std::min(burst_level_, most) - bytes_in(rate, now - burst_at_));
  burst_level_ += static_cast<double>(size);
  burst_at_ = now;
  burst_share_ = std::max(burst_share_, burst_level_ / most);
}

void Conduct::recovery_metrics(const trace::RecoveryMetrics& metrics, TimePoint now) {
  account(now);
  metrics_ = metrics;
  if (metrics.pto_count == 0) last_gap_ = Duration{0};
  if (metrics.min_rtt <= Duration{0}) return;
  least_min_rtt_ = least_min_rtt_ > Duration{0} ? std::min(least_min_rtt_, metrics.min_rtt) : metrics.min_rtt;
  most_smoothed_rtt_ = std::max(most_smoothed_rtt_, metrics.smoothed_rtt);
}

void Conduct::account(TimePoint now) {
  if (confirmed_at_ && metrics_.smoothed_rtt > Duration{0}) {
    const double rtts = to_seconds(now - metrics_at_) / to_seconds(metrics_.smoothed_rtt);
    window_bytes_ += static_cast<double>(metrics_.cwnd) * rtts;
  }
  metrics_at_ = now;
}

void Conduct::transmit_ended(const trace::TransmitEnded& ended, TimePoint now) {
  if (reason_ && confirmed_at_) {
    held_[static_cast<std::size_t>(*reason_)] += now - std::max(reason_since_, *confirmed_at_);
  }
  reason_ = ended.reason;
  reason_since_ = now;
}

void Conduct::parameters_set(const trace::ParametersSet& set, TimePoint /*now*/) {
  if (set.is_local) return;
  max_ack_delay_ = set.parameters->max_ack_delay;
  peer_window_ =
      std::min(set.parameters->initial_max_data, set.parameters->initial_max_stream_data_bidi_local);
}

void Conduct::handshake_progress(const trace::HandshakeProgress& progress, TimePoint now) {
  if (progress.milestone != trace::HandshakeProgress::Milestone::confirmed) return;
  confirmed_at_ = now;
  metrics_at_ = now;
}

void Conduct::connection_closed(const trace::ConnectionClosed& closed, TimePoint now) {
  if (close_) return;
  close_ = Close{now, closed.error_code, closed.is_local, closed.is_application};
}

std::array<Duration, Conduct::kReasons> Conduct::held(bool is_done, TimePoint end) const {
  std::array<Duration, kReasons> held = held_;
  if (!reason_ || !confirmed_at_ || (is_done && *reason_ == trace::TransmitEnd::nothing_to_send)) return held;
  held[static_cast<std::size_t>(*reason_)] += end - std::max(reason_since_, *confirmed_at_);
  return held;
}

Rate Conduct::window_rate(TimePoint end) const {
  if (!confirmed_at_ || end <= *confirmed_at_ || metrics_.smoothed_rtt <= Duration{0}) return {};
  const double rtts = to_seconds(end - metrics_at_) / to_seconds(metrics_.smoothed_rtt);
  const double bytes = window_bytes_ + static_cast<double>(metrics_.cwnd) * rtts;
  return Rate::bytes_per_second(bytes / to_seconds(end - *confirmed_at_));
}

}  // namespace quell::lab
