// What held the sender back, how did it probe, and how long did it believe that round trips take? A trace
// sink for the questions that windows alone do not answer.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

#include "quell/trace/sink.h"

namespace quell::lab {

class Conduct final : public trace::Sink {
 public:
  // `lie`: the peer's packet that holds its first lie, once it is told (see liar.h); must outlive this.
  explicit Conduct(const std::optional<PacketNumber>& lie) : lie_(lie) {}

  void packet_lost(const trace::PacketLost& lost, TimePoint now) override;
  void packet_received(const trace::Packet& packet, TimePoint now) override;
  void packet_sent(const trace::Packet& packet, TimePoint now) override;
  void recovery_metrics(const trace::RecoveryMetrics& metrics, TimePoint now) override;
  void transmit_ended(const trace::TransmitEnded& ended, TimePoint now) override;
  void parameters_set(const trace::ParametersSet& set, TimePoint now) override;
  void handshake_progress(const trace::HandshakeProgress& progress, TimePoint now) override;
  void connection_closed(const trace::ConnectionClosed& closed, TimePoint now) override;

  // For how long each reason of trace::TransmitEnd held the sender, from the confirmed handshake to `end`. If
  // `is_done`, a last stretch with nothing to send is the work's end and not a limit.
  static constexpr std::size_t kReasons = 5;
  std::array<Duration, kReasons> held(bool is_done, TimePoint end) const;
  // The mean of cwnd / smoothed_rtt over the same time.
  Rate window_rate(TimePoint end) const;
  // What the peer's flow control lets one of its streams have under way, and how soon it can renew that.
  ByteCount peer_window() const { return peer_window_; }
  Duration smoothed_rtt() const { return metrics_.smoothed_rtt; }
  std::optional<TimePoint> confirmed_at() const { return confirmed_at_; }

  // One per PTO that sent something. `period`: the PTO that is then in force, backoff included, as RFC 9002
  // §6.2.1 has it, from the RTT estimates in the trace.
  struct Probe {
    TimePoint at;
    Duration period{0};
  };
  const std::vector<Probe>& probes() const { return probes_; }
  // Each gap between probes over the gap before it, while nothing is heard. Zero: there were not two gaps.
  double least_probe_growth() const { return least_growth_; }
  double most_probe_growth() const { return most_growth_; }

  // The largest burst: what left within the time that its pacing rate needs for it, over what the pacer may
  // let go at once: max(10 packets, 2 ms of rate).
  double burst_share() const { return burst_share_; }

  // Lost packets that were larger than max_datagram_size.
  std::uint64_t mtu_probes_lost() const { return mtu_probes_lost_; }

  // Zero: no sample was ever taken.
  Duration least_min_rtt() const { return least_min_rtt_; }
  Duration most_smoothed_rtt() const { return most_smoothed_rtt_; }

  struct Close {
    TimePoint at;
    std::uint64_t code = 0;
    bool is_local = false;
    bool is_application = false;
  };
  const std::optional<Close>& close() const { return close_; }
  std::optional<TimePoint> lied_at() const { return lied_at_; }

 private:
  void note_probe(TimePoint now);
  void note_burst(ByteCount size, TimePoint now);
  void account(TimePoint now);

  const std::optional<PacketNumber>& lie_;
  std::optional<TimePoint> lied_at_;
  trace::RecoveryMetrics metrics_;
  Duration max_ack_delay_{0};  // the peer's
  ByteCount peer_window_ = 0;
  std::optional<TimePoint> confirmed_at_;

  std::array<Duration, kReasons> held_{};
  std::optional<trace::TransmitEnd> reason_;
  TimePoint reason_since_{};

  double window_bytes_ = 0;  // ∫ cwnd / smoothed_rtt dt
  TimePoint metrics_at_{};

  std::vector<Probe> probes_;
  std::optional<TimePoint> last_eliciting_at_;
  Duration last_gap_{0};
  double least_growth_ = 0;
  double most_growth_ = 0;

  double burst_level_ = 0;  // bytes
  TimePoint burst_at_{};
  double burst_share_ = 0;

  std::uint64_t mtu_probes_lost_ = 0;
  Duration least_min_rtt_{0};
  Duration most_smoothed_rtt_{0};
  std::optional<Close> close_;
};

}  // namespace quell::lab
