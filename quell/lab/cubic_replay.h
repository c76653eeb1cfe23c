// How far is a CUBIC from its RFC? Follows a sender's trace with the oracle, which hears the same ACKs and
// losses, and keeps the largest distance between the two windows.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "quell/lab/ledger.h"
#include "quell/lab/oracle_cubic.h"
#include "quell/trace/sink.h"

namespace quell::lab {

// Begins with the first loss: until then slow start rules, which RFC 9438 leaves to others (§4.10). Of the
// transport's own opinions it takes only the smoothed RTT and what was found to be a loss, a mark, persistent
// congestion or a late arrival. Recovery, growth and time are worked out here.
class CubicReplay final : public trace::Sink {
 public:
  void packet_sent(const trace::Packet& packet, TimePoint now) override;
  void packet_received(const trace::Packet& packet, TimePoint now) override;
  void packet_lost(const trace::PacketLost& lost, TimePoint now) override;
  void spurious_loss(const trace::SpuriousLoss& spurious, TimePoint now) override;
  void recovery_metrics(const trace::RecoveryMetrics& metrics, TimePoint now) override;
  void congestion_state_updated(const trace::CongestionStateUpdated& update, TimePoint now) override;
  void handshake_progress(const trace::HandshakeProgress& progress, TimePoint now) override;

  // The sender's turn is over. `backlog`: bytes that its application has waiting, within and before its
  // transport; more than a window may be told as any such number.
  void on_turn(ByteCount backlog, TimePoint now);

  // In packets; nothing was compared: zero.
  double distance() const { return distance_; }
  TimePoint farthest_at() const { return farthest_at_; }
  std::uint64_t comparisons() const { return comparisons_; }

 private:
  struct Episode {
    std::uint64_t number = 0;
    std::uint64_t lost = 0;
    std::uint64_t late = 0;
    bool is_undoable = false;
  };
  void hear_late();
  void hear_acked(double srtt, TimePoint now);
  bool hear_lost();
  void cut(bool may_be_spurious);
  void grow(double srtt, TimePoint now);
  void compare(const trace::RecoveryMetrics& metrics, TimePoint now);
  double seconds_limited(TimePoint now) const;

  Ledger ledger_;
  std::optional<OracleCubic> oracle_;
  ByteCount packet_ = 0;
  ByteCount cwnd_ = 0;  // as last told

  // One per packet, by ordinal: did it fill the window (RFC 9002 §7.8)? Known at the end of its turn.
  std::vector<bool> is_filling_;
  std::uint64_t turn_begins_at_ = 0;  // ordinal of the first packet of this turn

  // The time in which the sender was limited by its window, by our own books.
  Duration limited_{0};
  std::optional<TimePoint> limited_since_;

  bool in_recovery_ = false;
  std::uint64_t boundary_ = 0;  // packets from this ordinal on were sent after the last cut
  Episode episode_;
  std::map<std::pair<Space, PacketNumber>, std::uint64_t> lost_in_;  // the episode in which a packet was lost

  // What was heard since the last metrics.
  std::vector<Ledger::Acked> acked_;
  std::vector<std::uint64_t> newly_lost_;  // ordinals
  std::vector<std::pair<Space, PacketNumber>> lost_names_;
  std::vector<std::pair<Space, PacketNumber>> late_;
  bool is_marked_ = false;
  bool is_persistent_ = false;

  double distance_ = 0;
  TimePoint farthest_at_{};
  std::uint64_t comparisons_ = 0;
};

}  // namespace quell::lab
