// How do BBRv3's parts work together? Signals of losses and ACKs in, a phase, a rate and a window out
// (draft §5.2). The parts know nothing of each other; the order of the steps is the draft's.
#pragma once

#include <algorithm>
#include <optional>

#include "quell/cc/bbr3_ack_aggregation.h"
#include "quell/cc/bbr3_delivery_signals.h"
#include "quell/cc/bbr3_full_pipe.h"
#include "quell/cc/bbr3_long_term.h"
#include "quell/cc/bbr3_loss_rate.h"
#include "quell/cc/bbr3_max_bandwidth.h"
#include "quell/cc/bbr3_min_rtt.h"
#include "quell/cc/bbr3_pacing.h"
#include "quell/cc/bbr3_phase.h"
#include "quell/cc/bbr3_probe_rtt.h"
#include "quell/cc/bbr3_probe_wait.h"
#include "quell/cc/bbr3_round.h"
#include "quell/cc/bbr3_sample.h"
#include "quell/cc/bbr3_short_term.h"
#include "quell/cc/bbr3_startup_loss.h"
#include "quell/cc/controller.h"

namespace quell::cc::bbr3 {

// BBR.MinPipeCwnd, in packets: two in flight and ACKs for two on the way back (draft §5.6.4.3).
inline constexpr std::uint32_t kMinPipePackets = 4;

// What the product is made of. A specimen replaces one of them by a faulty one.
struct SoundParts {
  static constexpr Traits kTraits{.name = "bbr3",
                                  .least_window_packets = kMinPipePackets,
                                  .wants_lost_packets = true,
                                  .sets_pacing_rate = true,
                                  .follows_a_model = true};
  using FullPipe = bbr3::FullPipe;
  using Pacing = bbr3::Pacing;
  static constexpr bool kHearsIdleRestart = true;
};

template <class Parts>
class Machine final : public Controller {
 public:
  explicit Machine(const Config& config) : config_(config), wait_(config.seed) {
    cwnd_ = std::max(initial_cwnd(), least());
    pacing_.init(cwnd_, pacing_gain(phase_), Duration{0});
  }

  const Traits& traits() const override { return Parts::kTraits; }

  void on_sent(const SentEvent& event, TimePoint now) override;
  void on_ack(const AckEvent& event, TimePoint now) override;
  void on_packets_lost(const LossEvent& event, TimePoint now) override;
  void on_congestion(const CongestionEvent& event, TimePoint now) override;
  void on_recovery_exit(Duration growth_clock, TimePoint now) override;
  void on_spurious(std::uint64_t episode, TimePoint now) override;
  void on_mtu(ByteCount old_size, ByteCount new_size, TimePoint now) override;
  void on_path_reset(TimePoint now) override;

  ByteCount cwnd() const override { return static_cast<ByteCount>(cwnd_); }
  std::optional<ByteCount> ssthresh() const override { return std::nullopt; }
  std::optional<Rate> pacing_rate() const override { return Rate::bytes_per_second(pacing_.rate()); }
  std::optional<ByteCount> send_quantum() const override { return static_cast<ByteCount>(quantum()); }
  State state() const override {
    return phase_ == Phase::startup ? State::slow_start : State::congestion_avoidance;
  }

  // The model, for tests and traces.
  Phase phase() const { return phase_; }
  const Round& round() const { return round_; }
  const typename Parts::FullPipe& full_pipe() const { return full_pipe_; }
  const ShortTerm& short_term() const { return short_term_; }
  const LongTerm& long_term() const { return long_term_; }
  const MinRtt& min_rtt() const { return min_rtt_; }
  double max_bandwidth() const { return max_bandwidth_.value(); }
  double bandwidth() const { return bandwidth_; }
  double extra_acked() const { return aggregation_.extra_acked(); }
  // Draft §5.6.4.2: Inflight(gain), what `gain` bandwidth-delay products take.
  double inflight(double gain) const { return with_quantization(bdp(bandwidth_, gain)); }
  bool is_restarting_from_idle() const { return is_idle_restart_; }

 private:
  // What the ACKs mean that come back now, with respect to probing (draft §2.12).
  enum class AckPhase : std::uint8_t { init, refilling, probe_starting, probe_feedback, probe_stopping };

  // What a spurious episode gives back (draft §5.5.11).
  struct Model {
    ShortTerm short_term;
    double long_term = kUnbounded;
  };
  struct Undo {
    std::uint64_t episode = 0;
    Model model;
    std::optional<Phase> left;  // on account of the losses
  };

  // bbr3_machine_ack.h
  Sample read(const AckEvent& event, TimePoint now) const;
  void update_model(const Sample& sample, TimePoint now);
  void on_round_start();
  void respond_to_lossy_round();
  void check_startup_done(const Sample& sample);
  void check_drain_done(const Sample& sample, TimePoint now);
  void check_probe_rtt(const Sample& sample, TimePoint now);
  void set_cwnd(const Sample& sample);
  double bound_of_model() const;

  // bbr3_machine_cycle.h
  void enter(Phase phase);
  void start_down(TimePoint now);
  void start_refill();
  void start_up(const Sample& sample);
  void enter_probe_rtt();
  void leave_probe_rtt(TimePoint now);
  void update_cycle(const Sample& sample, TimePoint now);
  bool adapt_long_term(const Sample& sample);
  bool end_of_probe_feedback(const Sample& sample);
  void grow_long_term(const Sample& sample);
  bool is_time_to_cruise(const Sample& sample) const;
  bool is_time_to_go_down(const Sample& sample);

  // bbr3_machine_loss.h
  void on_lost(const LostPacket& packet, double total_lost, TimePoint now);
  void on_inflight_too_high(double tx_in_flight, bool is_app_limited, TimePoint now);
  void leave_startup_full();
  void restart_from_idle(TimePoint now);
  void save_cwnd();
  void restore_cwnd() { cwnd_ = std::max(cwnd_, prior_cwnd_); }

  double packet() const { return static_cast<double>(config_.max_datagram_size); }
  double least() const { return kMinPipePackets * packet(); }
  double initial_cwnd() const { return static_cast<double>(initial_window(config_)); }
  double quantum() const { return pacing_.quantum(packet()); }
  double bdp(double bandwidth, double gain) const;
  double with_quantization(double inflight) const;
  double probe_rtt_cwnd() const { return std::max(bdp(bandwidth_, cwnd_gain(Phase::probe_rtt)), least()); }
  double target_inflight() const { return std::min(bdp(bandwidth_, 1), cwnd_); }
  // At some point of the last round trip or since.
  bool is_cwnd_limited() const { return was_cwnd_limited_ || is_cwnd_limited_now_; }

  Config config_;
  Phase phase_ = Phase::startup;

  // The model of the path.
  Round round_;
  MaxBandwidth max_bandwidth_;
  MinRtt min_rtt_;
  AckAggregation aggregation_;
  DeliverySignals signals_;
  ShortTerm short_term_;
  LongTerm long_term_;
  double bandwidth_ = 0;  // BBR.bw: the least of both models

  // Where the search for bandwidth stands.
  typename Parts::FullPipe full_pipe_;
  StartupLoss startup_loss_;
  std::uint64_t drain_start_round_ = 0;
  ProbeWait wait_;
  AckPhase ack_phase_ = AckPhase::init;
  bool is_bw_probe_sample_ = false;
  bool prev_probe_too_high_ = false;
  bool prev_probe_precautionary_ = false;

  ProbeRtt probe_rtt_;
  bool is_idle_restart_ = false;

  // What leaves.
  typename Parts::Pacing pacing_;
  double cwnd_ = 0;
  double prior_cwnd_ = 0;  // the last one not modulated by recovery or ProbeRTT
  bool has_rtt_ = false;
  bool is_cwnd_limited_now_ = false;
  bool was_cwnd_limited_ = false;
  ByteCount total_delivered_ = 0;

  bool in_recovery_ = false;
  Model before_losses_;              // of the batch of losses at hand
  std::optional<Phase> left_phase_;  // by that batch
  Undo undo_;
};

}  // namespace quell::cc::bbr3

#include "quell/cc/bbr3_machine_ack.h"
#include "quell/cc/bbr3_machine_cycle.h"
#include "quell/cc/bbr3_machine_loss.h"
