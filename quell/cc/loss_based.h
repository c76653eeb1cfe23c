// What do Reno and CUBIC have in common? A window that slow start and congestion avoidance take turns to
// grow, one cut per recovery episode, and an undo. What is left to each is `Avoidance`: its curve and its β.
#pragma once

#include <algorithm>
#include <optional>

#include "quell/cc/controller.h"
#include "quell/cc/cut_history.h"
#include "quell/cc/window.h"

namespace quell::cc {

// Windows grow by `growable_bytes` and never in recovery (RFC 9002 §7.3.2, §7.8). Nothing here reads a clock
// or owns a boundary, so nothing here can be left behind in the past or the future and freeze growth.
//
// Choice: a CE mark cuts as deep as a loss does (RFC 9002 §7.1, RFC 9438 §4.6), once per episode like it; the
// milder cut of RFC 8511 is an experiment that wants a shallow queue behind the mark.
template <class SlowStart, class Avoidance>
class LossBased final : public Controller {
 public:
  // `traits` must outlive the controller.
  explicit LossBased(const Config& config, const Traits& traits = Avoidance::kTraits)
      : config_(config), traits_(&traits), slow_start_(config) {
    reset();
  }

  const Traits& traits() const override { return *traits_; }

  void on_sent(const SentEvent& event, TimePoint /*now*/) override {
    window_.saw_flight(event.in_flight_before + event.bytes);
    slow_start_.on_sent(event);
  }

  void on_ack(const AckEvent& event, TimePoint /*now*/) override {
    window_.saw_flight(event.in_flight_before);
    // Whatever becomes of the losses, the network has marked this round trip.
    if (event.ce_delta > 0) cuts_.confirm_last();
    if (event.in_recovery) return;
    auto growable = static_cast<double>(event.growable_bytes);
    if (window_.is_in_slow_start()) growable = grow_in_slow_start(event);
    if (growable > 0) avoidance_.grow(window_, growable, event);
  }

  void on_congestion(const CongestionEvent& event, TimePoint /*now*/) override {
    if (event.cause == CongestionCause::persistent) return collapse();
    // A CE mark is the network's own word and cannot turn out to be false; a loss can.
    cuts_.on_cut(event.episode, event.cause == CongestionCause::loss, state_now());
    avoidance_.on_cut(window_);
    window_.cut(Avoidance::kBeta);
    stage_began_.reset();
  }

  void on_recovery_exit(Duration growth_clock, TimePoint /*now*/) override {
    stage_began_ = growth_clock;
    begin_stage();
  }

  // RFC 9438 §4.9.2, for any of the last cuts. A window that has meanwhile outgrown the old one is left
  // alone.
  void on_spurious(std::uint64_t episode, TimePoint /*now*/) override {
    const auto undone = cuts_.leave_out(episode);
    if (undone && window_.bytes < undone->state.window.bytes) restore(*undone);
  }

  void on_mtu(ByteCount /*old_size*/, ByteCount new_size, TimePoint /*now*/) override {
    // RFC 9002 §7.2: a window that is still the initial one is computed anew.
    const bool is_untouched = window_.cwnd() == initial_window(config_) && !window_.threshold();
    config_.max_datagram_size = new_size;
    window_.set_packet(new_size);
    if (is_untouched) set_initial_window();
    avoidance_.on_mtu(window_);
    cuts_.set_packet(new_size);
  }

  void on_path_reset(TimePoint /*now*/) override { reset(); }

  ByteCount cwnd() const override { return window_.cwnd(); }
  std::optional<ByteCount> ssthresh() const override { return window_.threshold(); }
  State state() const override {
    return window_.is_in_slow_start() ? slow_start_.state() : State::congestion_avoidance;
  }

 private:
  using Cuts = CutHistory<Avoidance>;

  typename Cuts::State state_now() const { return {window_, avoidance_, stage_began_}; }

  double grow_in_slow_start(const AckEvent& event) {
    const double left = slow_start_.on_ack(window_, event);
    if (!slow_start_.is_over()) return left;
    window_.ssthresh = window_.bytes;
    avoidance_.on_slow_start_exit(window_);
    return 0;
  }

  // After persistent congestion, or an undo, it may be slow start that follows.
  void begin_stage() {
    if (!window_.is_in_slow_start()) avoidance_.on_recovery_exit(window_, *stage_began_);
  }

  void collapse() {
    cuts_.forget();
    window_.collapse();
    slow_start_.restart();
    avoidance_.on_persistent_congestion();
  }

  // The stage that was cut goes on with its own zero: the growth clock ran through the false episode as it
  // would have run without it, once, and holds no idle time, so there is nothing to shift. A later cut
  // stands, and so does the beginning of its stage.
  void restore(const typename Cuts::Undone& undone) {
    const double max_flight = std::max(undone.state.window.max_flight, window_.max_flight);
    window_ = undone.state.window;
    window_.max_flight = max_flight;
    avoidance_ = undone.state.avoidance;
    if (undone.is_last) {
      stage_began_ = undone.state.stage_began;
    } else if (stage_began_) {
      begin_stage();
    }
  }

  void set_initial_window() {
    window_.bytes = static_cast<double>(initial_window(config_));
    window_.max_flight = window_.bytes;
  }

  void reset() {
    window_ = Window{};
    window_.set_packet(config_.max_datagram_size);
    set_initial_window();
    slow_start_.restart();
    avoidance_ = Avoidance{};
    stage_began_.reset();
    cuts_.forget();
  }

  Config config_;
  const Traits* traits_;
  Window window_;
  SlowStart slow_start_;
  Avoidance avoidance_;
  std::optional<Duration> stage_began_;  // see CutHistory::State
  Cuts cuts_;
};

}  // namespace quell::cc
