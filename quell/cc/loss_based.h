// What do Reno and CUBIC have in common? A window that slow start and congestion avoidance take turns to
// grow, one cut per recovery episode, and an undo. What is left to each is `Avoidance`: its curve and its β.
#pragma once

#include <algorithm>
#include <optional>

#include "quell/cc/controller.h"
#include "quell/cc/window.h"

namespace quell::cc {

// Windows grow by `growable_bytes` and never in recovery (RFC 9002 §7.3.2, §7.8). Nothing here reads a clock
// or owns a boundary, so nothing here can be left behind in the past or the future and freeze growth.
//
// `Avoidance` is a value: copying it is how an episode is undone.
template <class SlowStart, class Avoidance>
class LossBased final : public Controller {
 public:
  explicit LossBased(const Config& config) : config_(config) { reset(); }

  const Traits& traits() const override { return Avoidance::kTraits; }

  void on_sent(const SentEvent& event, TimePoint /*now*/) override {
    if (window_.is_in_slow_start()) slow_start_.on_sent(event);
  }

  void on_ack(const AckEvent& event, TimePoint /*now*/) override {
    if (event.in_recovery) return;
    auto growable = static_cast<double>(event.growable_bytes);
    if (window_.is_in_slow_start()) growable = grow_in_slow_start(event);
    if (growable > 0) avoidance_.grow(window_, growable, event);
  }

  void on_congestion(const CongestionEvent& event, TimePoint /*now*/) override {
    if (event.cause == CongestionCause::persistent) return collapse();
    undo_.reset();
    // A CE mark is the network's own word and cannot turn out to be false; a loss can.
    if (event.cause == CongestionCause::loss) undo_.emplace(Undo{event.episode, window_, avoidance_});
    avoidance_.on_cut(window_);
    window_.cut(Avoidance::kBeta);
  }

  void on_recovery_exit(Duration growth_clock, TimePoint /*now*/) override {
    // After persistent congestion, or an undo, it is slow start that follows.
    if (!window_.is_in_slow_start()) avoidance_.on_recovery_exit(window_, growth_clock);
  }

  // RFC 9438 §4.9.2. A window that has meanwhile outgrown the old one is left alone.
  void on_spurious(std::uint64_t episode, TimePoint /*now*/) override {
    if (!undo_ || undo_->episode != episode) return;
    if (window_.bytes < undo_->window.bytes) restore(*undo_);
    undo_.reset();
  }

  void on_mtu(ByteCount /*old_size*/, ByteCount new_size, TimePoint /*now*/) override {
    // RFC 9002 §7.2: a window that is still the initial one is computed anew.
    const bool is_untouched = window_.cwnd() == initial_window(config_) && !window_.threshold();
    config_.max_datagram_size = new_size;
    window_.set_packet(new_size);
    if (is_untouched) window_.bytes = static_cast<double>(initial_window(config_));
    avoidance_.on_mtu(window_);
  }

  void on_path_reset(TimePoint /*now*/) override { reset(); }

  ByteCount cwnd() const override { return window_.cwnd(); }
  std::optional<ByteCount> ssthresh() const override { return window_.threshold(); }
  State state() const override {
    return window_.is_in_slow_start() ? State::slow_start : State::congestion_avoidance;
  }

 private:
  struct Undo {
    std::uint64_t episode = 0;
    Window window;
    Avoidance avoidance;
  };

  double grow_in_slow_start(const AckEvent& event) {
    const double left = slow_start_.on_ack(window_, event);
    if (!slow_start_.is_over()) return left;
    window_.ssthresh = window_.bytes;
    avoidance_.on_slow_start_exit(window_);
    return 0;
  }

  void collapse() {
    undo_.reset();
    window_.collapse();
    slow_start_.restart();
    avoidance_.on_persistent_congestion();
  }

  void restore(const Undo& undo) {
    window_ = undo.window;
    avoidance_ = undo.avoidance;
    window_.set_packet(config_.max_datagram_size);
    avoidance_.on_mtu(window_);
  }

  void reset() {
    window_ = Window{};
    window_.set_packet(config_.max_datagram_size);
    window_.bytes = static_cast<double>(initial_window(config_));
    slow_start_.restart();
    avoidance_ = Avoidance{};
    undo_.reset();
  }

  Config config_;
  Window window_;
  SlowStart slow_start_;
  Avoidance avoidance_;
  std::optional<Undo> undo_;
};

}  // namespace quell::cc
