#include "quell/cc/specimens/cubic_time_west.h"

#include <algorithm>
#include <cmath>

#include "quell/cc/window.h"

namespace quell::cc {
namespace {

constexpr double kBeta = 0.7;
constexpr double kC = 0.4;
constexpr double kAlpha = 3 * (1 - kBeta) / (1 + kBeta);
constexpr Traits kTraits{.name = "cubic-time-west"};

class CubicTimeWest final : public Controller {
 public:
  explicit CubicTimeWest(const Config& config) : config_(config) { reset(); }

  const Traits& traits() const override { return kTraits; }

  void on_sent(const SentEvent& event, TimePoint now) override {
    // The first fault: the wait for the last ACK is counted as idle.
    if (event.in_flight_before == 0 && last_sent_ && epoch_) *epoch_ += now - *last_sent_;
    last_sent_ = now;
  }

  void on_ack(const AckEvent& event, TimePoint now) override {
    if (event.in_recovery || event.growable_bytes == 0) return;
    const auto growable = static_cast<double>(event.growable_bytes);
    if (window_.is_in_slow_start()) return window_.grow_by(growable);
    if (!epoch_) begin_stage(now);
    avoid(growable, std::max(to_seconds(now - *epoch_), 0.0), to_seconds(event.rtt.smoothed));
  }

  void on_congestion(const CongestionEvent& event, TimePoint /*now*/) override {
    epoch_.reset();
    if (event.cause == CongestionCause::persistent) {
      w_max_ = 0;
      return window_.collapse();
    }
    w_max_ = window_.bytes < w_max_ ? window_.bytes * (1 + kBeta) / 2 : window_.bytes;
    window_.cut(kBeta);
  }

  void on_mtu(ByteCount /*old_size*/, ByteCount new_size, TimePoint /*now*/) override {
    config_.max_datagram_size = new_size;
    window_.set_packet(new_size);
  }
  void on_path_reset(TimePoint /*now*/) override { reset(); }

  ByteCount cwnd() const override { return window_.cwnd(); }
  std::optional<ByteCount> ssthresh() const override { return window_.threshold(); }
  State state() const override {
    return window_.is_in_slow_start() ? State::slow_start : State::congestion_avoidance;
  }

 private:
  void begin_stage(TimePoint now) {
    epoch_ = now;
    w_max_ = std::max(w_max_, window_.bytes);
    at_epoch_ = window_.bytes;
    k_ = std::cbrt((w_max_ - window_.bytes) / window_.packet / kC);
  }

  void avoid(double growable, double t, double rtt) {
    // The second fault: a W_est in time stands still when time does.
    const double w_est = at_epoch_ + kAlpha * window_.packet * t / rtt;
    const double ahead = t + rtt - k_;
    const double curve = w_max_ + kC * ahead * ahead * ahead * window_.packet;
    const double target = std::clamp(curve, window_.bytes, 1.5 * window_.bytes);
    const double step = (target - window_.bytes) * std::min(growable / window_.bytes, 1.0);
    window_.grow_by(std::min(std::max(step, w_est - window_.bytes), growable));
  }

  void reset() {
    window_ = Window{};
    window_.set_packet(config_.max_datagram_size);
    window_.bytes = static_cast<double>(initial_window(config_));
    epoch_.reset();
    last_sent_.reset();
    w_max_ = 0;
  }

  Config config_;
  Window window_;
  std::optional<TimePoint> epoch_;
  std::optional<TimePoint> last_sent_;
  double w_max_ = 0;
  double at_epoch_ = 0;
  double k_ = 0;
};

}  // namespace

ControllerPtr make_cubic_time_west(const Config& config) {
  return std::make_unique<CubicTimeWest>(config);
}

}  // namespace quell::cc
