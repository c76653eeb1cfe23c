// What did one end of a connection do over time? A trace sink that keeps what measures, laws and charts are
// made from.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "quell/lab/gates.h"
#include "quell/lab/ledger.h"
#include "quell/lab/series.h"
#include "quell/lab/window_use.h"
#include "quell/trace/sink.h"

namespace quell::lab {

class Watch final : public trace::Sink {
 public:
  // With `keep_series` every metric is kept for charts, else only what measures need. Times of series count
  // from `start`.
  Watch(bool keep_series, TimePoint start) : keep_series_(keep_series), start_(start) {}

  void packet_sent(const trace::Packet& packet, TimePoint now) override;
  void packet_received(const trace::Packet& packet, TimePoint now) override;
  void packet_lost(const trace::PacketLost& lost, TimePoint now) override;
  void spurious_loss(const trace::SpuriousLoss& spurious, TimePoint now) override;
  void recovery_metrics(const trace::RecoveryMetrics& metrics, TimePoint now) override;
  void congestion_state_updated(const trace::CongestionStateUpdated& update, TimePoint now) override;
  void transmit_ended(const trace::TransmitEnded& ended, TimePoint now) override;
  void handshake_progress(const trace::HandshakeProgress& progress, TimePoint now) override;

  // The host's turn is over; `backlog` as in WindowUse. After the laws have looked.
  void end_turn(ByteCount backlog);

  struct Window {
    TimePoint at;
    ByteCount cwnd = 0;
  };
  struct Loss {
    TimePoint at;
    TimePoint sent_at;
  };
  struct Ack {
    TimePoint at;
    TimePoint newest_sent_at;
  };
  struct Rtt {
    Duration smoothed{0};
    Duration variance{0};
  };
  struct Peak {
    TimePoint at;
    ByteCount in_flight = 0;
  };
  struct Silence {
    TimePoint from;
    TimePoint to;
    Duration length() const { return to - from; }
  };

  // Ascending in time.
  const std::vector<Window>& windows() const { return windows_; }  // one per change
  const std::vector<Loss>& losses() const { return losses_; }
  const std::vector<Ack>& acks() const { return acks_; }  // those that acknowledged something new
  const std::vector<Peak>& peaks() const {
    return peaks_;
  }  // each time that more was in flight than ever before
  const std::vector<TimePoint>& late_acks() const {
    return late_acks_;
  }  // one per packet that was not lost after all
  const std::vector<TimePoint>& recovery_entries() const { return recovery_entries_; }
  const std::vector<TimePoint>& recovery_exits() const { return recovery_exits_; }
  // The window in force at `t`; zero before the first.
  ByteCount cwnd_at(TimePoint t) const;
  // The longest time between two packets in flight, once the handshake was confirmed.
  Silence longest_silence() const { return longest_silence_; }
  std::optional<TimePoint> confirmed_at() const { return confirmed_at_; }
  const Rtt& rtt() const { return rtt_; }  // the latest
  ByteCount max_datagram_size() const { return max_datagram_size_; }
  // The last pass of sending ended because the receiver takes no more for now.
  bool is_held_by_flow_control() const { return last_end_ == trace::TransmitEnd::flow_control; }
  const Ledger& ledger() const { return ledger_; }

  // Totals that laws take differences of.
  ByteCount total_acked() const { return total_acked_; }
  // The part of it that had filled the window when it left.
  ByteCount total_filling_acked() const { return total_filling_acked_; }
  std::uint64_t marks() const { return marks_; }  // cuts for ECN-CE
  const Gates& gates() const { return gates_; }
  // Cuts for packets that had been sent before the cut before: more than one per episode (RFC 9002 §7.3.2).
  std::uint64_t doubled_cuts() const { return doubled_cuts_; }
  // A packet left flight twice.
  bool has_double_exit() const { return has_double_exit_; }

  // Hands the series over, closed at `end`.
  Series take_series(TimePoint end);

 private:
  void note_window(ByteCount cwnd, TimePoint now);
  double seconds_since_start(TimePoint now) const { return to_seconds(now - start_); }

  bool keep_series_;
  TimePoint start_;
  Ledger ledger_;
  std::vector<Window> windows_;
  std::vector<Loss> losses_;
  std::vector<Ack> acks_;
  std::vector<Peak> peaks_;
  std::vector<TimePoint> late_acks_;
  std::vector<TimePoint> recovery_entries_;
  std::vector<TimePoint> recovery_exits_;
  std::optional<TimePoint> confirmed_at_;
  std::optional<TimePoint> last_flight_at_;
  Silence longest_silence_{};
  trace::TransmitEnd last_end_ = trace::TransmitEnd::nothing_to_send;
  Rtt rtt_;
  ByteCount max_datagram_size_ = 0;
  ByteCount total_acked_ = 0;
  ByteCount total_filling_acked_ = 0;
  std::uint64_t marks_ = 0;
  WindowUse use_;
  Gates gates_;
  std::optional<std::uint64_t> newest_lost_;  // ordinal, since the last metrics
  std::uint64_t cut_boundary_ = 0;            // ordinal of the first packet after the last cut
  std::uint64_t doubled_cuts_ = 0;
  bool has_double_exit_ = false;
  Series series_;
};

}  // namespace quell::lab
