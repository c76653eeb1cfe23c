// Which packets are outstanding, which are lost, and how much may be sent now? Joins the ledger, RTT, loss
// detection, PTO, pacer, ECN and the controller (RFC 9002). Owns what a controller must not be able to break:
// the recovery boundary, the growth clock, bytes in flight, the floor.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "quell/base/rng.h"
#include "quell/base/time.h"
#include "quell/base/units.h"
#include "quell/cc/controller.h"
#include "quell/recovery/delivery_rate.h"
#include "quell/recovery/ecn_validation.h"
#include "quell/recovery/floor_watch.h"
#include "quell/recovery/growth_clock.h"
#include "quell/recovery/loss_detection.h"
#include "quell/recovery/number_skips.h"
#include "quell/recovery/pacer.h"
#include "quell/recovery/prr.h"
#include "quell/recovery/pto.h"
#include "quell/recovery/rtt.h"
#include "quell/recovery/sent_frame.h"
#include "quell/recovery/sent_packets.h"
#include "quell/trace/sink.h"
#include "quell/wire/error.h"
#include "quell/wire/frame.h"
#include "quell/wire/types.h"

namespace quell {

// Choice: more ACK-only packets than this never leave while a packet in flight stays unanswered, unless the
// peer wants to fill our memory: its window's worth of data draws fewer. They cost some 20 MB.
inline constexpr std::uint32_t kMaxAcksUnheard = 1 << 17;

struct RecoveryConfig {
  Duration initial_rtt = milliseconds{333};  // RFC 9002 §6.2.2
  ByteCount max_datagram_size = kDefaultMaxDatagram;
  bool ecn = true;
  bool pacing = true;
  // From where chance comes that decides which numbers are skipped; absent: none is.
  std::optional<Rng> skips = {};
};

struct SentPacketInfo {
  Space space = Space::application;
  PacketNumber number = 0;
  ByteCount size = 0;
  bool is_ack_eliciting = false;
  bool is_in_flight = false;  // ack-eliciting or padded
  bool is_mtu_probe = false;  // its loss is no congestion
  Ecn ecn = Ecn::not_ect;
  // Bytes that could still be sent after this packet within flow control; decides whether the packet counts
  // as window-limited.
  ByteCount ready_bytes_after = 0;
  std::span<const SentFrame> frames;
};

// The frames whose owners must hear of it. Scratch memory of Recovery: valid until its next call.
struct AckOutcome {
  std::span<const SentFrame> acked;
  std::span<const SentFrame> lost;
  // At least one packet was newly acknowledged; late acknowledgements of packets declared lost do not count.
  bool newly_acked_any = false;
};
struct TimeoutOutcome {
  std::span<const SentFrame> lost;
  // Frames of the oldest unacknowledged packets, to be sent again in probes although they are not lost.
  std::span<const SentFrame> probe;
  // The space that must send probes now; none when the loss timer fired.
  std::optional<Space> probe_space;
  // The space that `lost` and `probe` belong to.
  Space space = Space::initial;
};

// How much may leave now, and when to ask again.
struct SendBudget {
  enum class Limit : std::uint8_t { none, window, pacer };
  ByteCount bytes = 0;                // may be sent now
  Limit limit = Limit::none;          // what bounds `bytes`
  std::optional<TimePoint> retry_at;  // when the pacer will release more
};

// Why a transmit pass ended; the growth clock runs on it.
using trace::TransmitEnd;

class Recovery {
 public:
  Recovery(Side side, const RecoveryConfig& config, cc::ControllerPtr controller, trace::Sink* sink);

  // --- sending
  // Numbers are given in order and never reused (RFC 9000 §12.3); now and then one is left out (§21.4).
  PacketNumber next_packet_number(Space space) const;
  std::optional<PacketNumber> largest_acked(Space space) const;
  SendBudget send_budget(TimePoint now);
  // The ECN codepoint for the next packet.
  Ecn ecn_codepoint() const;
  // Probes that `space` still owes after a PTO; they ignore window and pacer.
  std::uint32_t probes_owed(Space space) const { return probes_owed_[index(space)]; }
  // The peer sends and sends, and acknowledges nothing: the ledger has grown beyond what an honest peer
  // needs.
  bool is_unheard(Space space) const { return at(space).acks_unheard > kMaxAcksUnheard; }
  // `info.number` must be next_packet_number(info.space).
  void on_sent(const SentPacketInfo& info, TimePoint now);
  // Once after every pass. `ready_bytes`: what is still ready to be sent within flow control.
  void on_transmit_ended(TransmitEnd reason, ByteCount ready_bytes, TimePoint now);

  // --- hearing
  // `ack_delay` is decoded, zero for Initial and Handshake. Errors: PROTOCOL_VIOLATION for a packet that was
  // never sent, or of a number that was skipped (RFC 9000 §13.1, §21.4).
  Result<AckOutcome> on_ack(Space space, const AckFrame& ack, Duration ack_delay, TimePoint now);
  // Nothing: no timer is needed.
  std::optional<TimePoint> next_timeout() const;
  TimeoutOutcome on_timeout(TimePoint now);
  // The peer shows that it has not heard us (RFC 9002 §6.2.3): one more probe leaves without waiting for a
  // PTO, two at most.
  void owe_probe(Space space);
  // The client's duplicate Initial, or any sign that a probe would help (RFC 9002 §6.2.3): resends without
  // waiting.
  std::span<const SentFrame> resend_unacked(Space space);

  // --- facts
  void set_handshake_facts(const HandshakeFacts& facts, TimePoint now);
  void set_peer_max_ack_delay(Duration max_ack_delay) { peer_max_ack_delay_ = max_ack_delay; }
  // Keys are gone: forgets all packets of the space (RFC 9002 §6.4). Resets pto_count.
  void discard_space(Space space, TimePoint now);
  // A Retry: all Initial packets leave flight; their frames come back to be sent again (RFC 9002 §6.3), the
  // RTT is kept empty.
  std::span<const SentFrame> on_retry(TimePoint now);

  // The peer takes no larger UDP payloads than this (once, with its transport parameters): never raises the
  // size; tells the controller (on_mtu) when it falls.
  void limit_datagram_size(ByteCount largest, TimePoint now);
  // The path was found to take datagrams of `size`: never lowers it; tells the controller when it rises.
  void raise_datagram_size(ByteCount size, TimePoint now);
  // Another path (RFC 9000 §9.4): nothing that was learnt about the old one holds. Packets in flight stay
  // there and say nothing about the new one's congestion.
  void on_path_reset(TimePoint now);

  // --- answers
  const RttEstimator& rtt() const { return rtt_; }
  ByteCount cwnd() const;
  ByteCount bytes_in_flight() const { return bytes_in_flight_; }
  ByteCount max_datagram_size() const { return config_.max_datagram_size; }
  bool in_recovery() const { return in_recovery_; }
  const Prr& prr() const { return prr_; }
  std::uint32_t pto_count() const { return pto_count_; }
  // The current PTO without backoff, max_ack_delay included: for idle, closing and key timers (RFC 9000
  // §10.2).
  Duration pto() const;
  Duration growth_clock(TimePoint now) const;
  const cc::Controller& controller() const { return *controller_; }
  const EcnValidation& ecn() const { return ecn_; }

  struct Stats {
    std::uint64_t packets_sent = 0;
    std::uint64_t packets_acked = 0;
    std::uint64_t packets_lost = 0;
    std::uint64_t spurious_losses = 0;
    ByteCount bytes_sent = 0;
    ByteCount bytes_acked = 0;
    ByteCount bytes_lost = 0;
    std::uint64_t congestion_events = 0;
    std::uint64_t spurious_episodes = 0;  // congestion events whose losses had all arrived
    std::uint64_t persistent_congestion_events = 0;
    std::uint64_t ptos = 0;
    std::uint64_t recovery_entries = 0;                // as the controller reports its state
    std::uint64_t recovery_entries_without_cause = 0;  // no loss and no CE mark since the one before
    std::uint64_t floor_rounds_without_loss = 0;       // round trips at the floor, data waiting, nothing lost
  };
  const Stats& stats() const { return stats_; }

 private:
  struct PerSpace {
    SentPackets packets;
    std::optional<PacketNumber> largest_acked;
    std::optional<TimePoint> loss_time;  // when the next packet will be lost by the time threshold
    TimePoint last_ack_eliciting_sent_at{};
    std::uint64_t ack_eliciting_in_flight = 0;
    // ACK-only packets sent since the peer acknowledged something, behind a packet in flight.
    std::uint32_t acks_unheard = 0;
    // Packets from this number on were sent after the last recovery episode began.
    PacketNumber recovery_boundary = 0;
    PacketNumber boundary_before_episode = 0;  // comes back when the episode is undone
  };
  // What one ACK frame newly acknowledges.
  struct AckTally {
    PacketNumber largest = 0;
    TimePoint largest_sent_at{};
    ByteCount bytes = 0;     // that were in flight
    ByteCount growable = 0;  // of them, sent after the boundary and window-limited
    std::uint64_t ect0 = 0;  // packets sent with ECT(0)
    bool has_ack_eliciting = false;
    bool has_rtt_sample = false;
  };
  // What one batch of losses takes off.
  struct LossTally {
    ByteCount bytes = 0;  // in flight, without MTU probes: those are no congestion
    std::optional<PacketNumber> newest;
    TimePoint newest_sent_at{};
    std::optional<PacketNumber> newest_ack_eliciting;
  };
  PerSpace& at(Space space) { return spaces_[index(space)]; }
  const PerSpace& at(Space space) const { return spaces_[index(space)]; }
  void begin_event();
  void set_datagram_size(ByteCount size, TimePoint now);

  // recovery_send.cc
  void note_sent(const SentPacketInfo& info, TimePoint now);
  SentPacket& record(const SentPacketInfo& info, TimePoint now);
  void note_idle_restart(TimePoint now);
  Rate pacing_rate() const;
  ByteCount window_left() const;

  // recovery_ack.cc
  void take_late(Space space, TimePoint now);
  AckTally take_newly_acked(Space space, TimePoint now);
  void settle_acked(Space space, PacketNumber number, AckTally& tally, TimePoint now);
  void sample_rtt(const AckFrame& ack, AckTally& tally, Duration ack_delay, TimePoint now);
  EcnCounts process_ecn(Space space, const AckFrame& ack, const AckTally& tally, bool raises_largest,
                        TimePoint now);
  void tell_acked(const AckTally& tally, const EcnCounts& marks, ByteCount in_flight_before, Duration growth,
                  TimePoint now);
  void meter_reduction(Space space, ByteCount delivered);

  // recovery_loss.cc
  void detect_losses(Space space, TimePoint now);
  LossTally settle_lost(Space space, TimePoint now);
  void respond_to_loss(Space space, const LossTally& tally, ByteCount in_flight_before, TimePoint now);
  void begin_episode(const cc::CongestionEvent& event, TimePoint now);
  void check_persistent_congestion(Space space, const LossTally& tally, ByteCount in_flight_before,
                                   TimePoint now);
  void exit_recovery(Duration growth, TimePoint now);
  void check_spurious_episode(TimePoint now);
  void note_state(std::string_view trigger, TimePoint now);
  void note_ecn_state(EcnValidation::State before, TimePoint now);
  bool is_pinned() const;

  // recovery_timeout.cc
  std::optional<std::pair<TimePoint, Space>> earliest_loss_time() const;
  std::optional<PtoTimer> pto_timer() const;
  TimeoutOutcome fire_pto(const PtoTimer& timer, TimePoint now);
  void release_outstanding(Space space, std::vector<SentFrame>* frames);
  void collect_unacked(Space space, std::size_t max_packets, std::vector<SentFrame>& out) const;
  void trace_metrics(TimePoint now);

  RecoveryConfig config_;
  cc::ControllerPtr controller_;
  trace::Sink* sink_;  // may be null
  ByteCount floor_;    // bytes; the window never falls below
  std::array<PerSpace, kSpaceCount> spaces_;
  RttEstimator rtt_;
  EcnValidation ecn_;
  NumberSkips skips_;
  GrowthClock growth_;
  FloorWatch floor_watch_;
  Pacer pacer_;
  std::optional<TimePoint> pacer_retry_at_;  // as the last budget that the pacer bounded said
  DeliverySampler sampler_;
  HandshakeFacts facts_;
  std::array<std::uint32_t, kSpaceCount> probes_owed_{};
  ByteCount bytes_in_flight_ = 0;
  ByteCount congestion_lost_ = 0;  // in total, without MTU probes: their loss is no sign of congestion
  Duration peer_max_ack_delay_ = milliseconds{25};
  std::uint32_t pto_count_ = 0;
  std::uint64_t next_ordinal_ = 1;
  TimePoint timer_set_at_{};                // last time that the PTO was set anew
  std::optional<TimePoint> last_activity_;  // last packet in flight sent, or packet acknowledged

  bool in_recovery_ = false;
  Prr prr_;  // active only in episodes of controllers that want it
  ByteCount flight_before_event_ = 0;
  std::uint64_t episode_ = 0;
  // How many packets the running episode has lost, and how many of those were acknowledged after all.
  std::uint64_t episode_lost_ = 0;
  std::uint64_t episode_late_ = 0;
  bool is_episode_undoable_ = false;
  // Packets up to this ordinal cannot establish persistent congestion: sent before the first RTT sample, or
  // used.
  std::uint64_t persistent_after_ordinal_ = 0;
  cc::State reported_state_;
  bool has_cause_ = false;  // something was lost or marked since the last entry into recovery
  bool has_sent_untraced_ = false;
  std::optional<TransmitEnd> traced_end_;
  Stats stats_;

  // Scratch: reused, so that nothing is allocated per event.
  std::vector<SentFrame> acked_frames_;
  std::vector<SentFrame> lost_frames_;
  std::vector<Range> newly_;
  std::vector<Range> late_;
  std::vector<LostNumber> lost_numbers_;
  std::vector<cc::AckedPacket> acked_packets_;
  std::vector<cc::LostPacket> lost_packets_;
};

}  // namespace quell
