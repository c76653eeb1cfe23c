#include "quell/cc/specimens/cubic_quiche_2020.h"

#include <algorithm>
#include <cmath>

#include "quell/cc/window.h"

namespace quell::cc {
namespace {

constexpr double kBeta = 0.7;
constexpr double kC = 0.4;
constexpr double kAlpha = 3 * (1 - kBeta) / (1 + kBeta);
constexpr Traits kTraits{
    .name = "cubic-quiche-2020", .wants_lost_packets = true, .owns_recovery_state = true};

class CubicQuiche2020 final : public Controller {
 public:
  explicit CubicQuiche2020(const Config& config) : config_(config) { reset(); }

  const Traits& traits() const override { return kTraits; }

  void on_sent(const SentEvent& event, TimePoint now) override {
    if (event.in_flight_before == 0 && last_sent_ && recovery_start_) {
      // The fault. The pipe was empty for an instant only, but the sender had nothing to send since
      // `last_sent_` because its window was full: a round trip of waiting, not of idling. Nothing keeps the
      // sum out of the future.
      *recovery_start_ += now - *last_sent_;
    }
    last_sent_ = now;
    is_app_limited_ = event.is_app_limited;
    last_event_ = now;
  }

  void on_ack(const AckEvent& event, TimePoint now) override {
    last_event_ = now;
    for (const AckedPacket& packet : event.packets) {
      if (is_in_recovery(packet.sent_at) || is_app_limited_) continue;
      if (window_.is_in_slow_start()) {
        window_.grow_by(static_cast<double>(packet.bytes));
      } else {
        avoid(static_cast<double>(packet.bytes), event.rtt.min, now);
      }
    }
  }

  void on_packets_lost(const LossEvent& event, TimePoint now) override {
    last_event_ = now;
    if (event.packets.empty()) return;
    const auto& largest = *std::ranges::max_element(event.packets, {}, &LostPacket::number);
    if (!is_in_recovery(largest.sent_at)) cut(now);
  }

  void on_congestion(const CongestionEvent& /*event*/, TimePoint /*now*/) override {}

  void on_mtu(ByteCount /*old_size*/, ByteCount new_size, TimePoint /*now*/) override {
    config_.max_datagram_size = new_size;
    window_.set_packet(new_size);
  }
  void on_path_reset(TimePoint /*now*/) override { reset(); }

  ByteCount cwnd() const override { return window_.cwnd(); }
  std::optional<ByteCount> ssthresh() const override { return window_.threshold(); }
  State state() const override {
    if (window_.is_in_slow_start()) return State::slow_start;
    return is_in_recovery(last_event_) ? State::recovery : State::congestion_avoidance;
  }

 private:
  bool is_in_recovery(TimePoint t) const { return recovery_start_ && t <= *recovery_start_; }

  void cut(TimePoint now) {
    recovery_start_ = now;
    w_max_ = window_.bytes < w_max_ ? window_.bytes * (1 + kBeta) / 2 : window_.bytes;
    window_.cut(kBeta);
    k_ = std::cbrt(std::max(w_max_ - window_.bytes, 0.0) / window_.packet / kC);
    w_est_ = window_.bytes;
    alpha_ = kAlpha;
    earned_ *= kBeta;
  }

  void avoid(double acked, Duration min_rtt, TimePoint now) {
    if (!recovery_start_) begin_without_loss(now);
    const Duration t = std::max(now - *recovery_start_, Duration{0});
    w_est_ += alpha_ * acked / window_.bytes * window_.packet;
    if (w_est_ >= w_max_) alpha_ = 1;
    if (w_cubic(t) < w_est_) {
      earned_ += std::max(w_est_ - window_.bytes, 0.0);
    } else {
      const double target = std::clamp(w_cubic(t + min_rtt), window_.bytes, 1.5 * window_.bytes);
      earned_ += window_.packet * (target - window_.bytes) / window_.bytes;
    }
    // Whole packets only, at most one for each packet acknowledged.
    if (earned_ < window_.packet) return;
    window_.grow_by(window_.packet);
    earned_ -= window_.packet;
  }

  void begin_without_loss(TimePoint now) {
    recovery_start_ = now;
    w_max_ = window_.bytes;
    k_ = 0;
    w_est_ = window_.bytes;
    alpha_ = kAlpha;
  }

  double w_cubic(Duration t) const { return kC * std::pow(to_seconds(t) - k_, 3) * window_.packet + w_max_; }

  void reset() {
    window_ = Window{};
    window_.set_packet(config_.max_datagram_size);
    window_.bytes = static_cast<double>(initial_window(config_));
    recovery_start_.reset();
    last_sent_.reset();
    w_max_ = k_ = w_est_ = earned_ = 0;
  }

  Config config_;
  Window window_;
  std::optional<TimePoint> recovery_start_;  // two meanings: the recovery boundary, and the curve's zero
  std::optional<TimePoint> last_sent_;
  TimePoint last_event_;
  bool is_app_limited_ = false;
  double w_max_ = 0;
  double k_ = 0;
  double w_est_ = 0;
  double alpha_ = kAlpha;
  double earned_ = 0;  // bytes of growth not yet granted
};

}  // namespace

ControllerPtr make_cubic_quiche_2020(const Config& config) {
  return std::make_unique<CubicQuiche2020>(config);
}

}  // namespace quell::cc
