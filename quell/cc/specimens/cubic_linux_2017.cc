#include "quell/cc/specimens/cubic_linux_2017.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "quell/cc/window.h"

namespace quell::cc {
namespace {

constexpr double kBeta = 0.7;
constexpr double kAlpha = 3 * (1 - kBeta) / (1 + kBeta);
// Time in 1/1024 s; C = 0.4 = 410 / 2^40 × (1024)³.
constexpr unsigned kTickBits = 10;
constexpr std::uint64_t kScale = 410;
constexpr Traits kTraits{.name = "cubic-linux-2017"};

class CubicLinux2017 final : public Controller {
 public:
  explicit CubicLinux2017(const Config& config) : config_(config) { reset(); }

  const Traits& traits() const override { return kTraits; }

  void on_sent(const SentEvent& event, TimePoint now) override {
    // The fault: the wait for the last ACK is counted as idle, and the sum may lie in the future.
    if (event.in_flight_before == 0 && last_sent_ && epoch_) *epoch_ += now - *last_sent_;
    last_sent_ = now;
  }

  void on_ack(const AckEvent& event, TimePoint now) override {
    if (event.in_recovery || event.growable_bytes == 0) return;
    const auto growable = static_cast<double>(event.growable_bytes);
    if (window_.is_in_slow_start()) return window_.grow_by(growable);
    if (!epoch_) begin_stage(now);
    avoid(growable, ticks_since_epoch(event.rtt.min, now));
  }

  void on_congestion(const CongestionEvent& event, TimePoint /*now*/) override {
    epoch_.reset();
    if (event.cause == CongestionCause::persistent) {
      w_max_ = 0;
      return window_.collapse();
    }
    cwnd_prior_ = window_.bytes;
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
    w_est_ = window_.bytes;
    const double k = std::cbrt((w_max_ - window_.bytes) / window_.packet / 0.4);
    k_ticks_ = static_cast<std::uint64_t>(std::ldexp(k, kTickBits));
  }

  // A signed difference of milliseconds, widened to an unsigned number before it is scaled: below zero, it
  // wraps.
  std::uint64_t ticks_since_epoch(Duration min_rtt, TimePoint now) const {
    const auto elapsed = std::chrono::duration_cast<milliseconds>(now - *epoch_ + min_rtt).count();
    return (static_cast<std::uint64_t>(elapsed) << kTickBits) / 1000;
  }

  // The curve in packets; unsigned, as it was.
  double w_cubic(std::uint64_t ticks) const {
    const auto origin = w_max_ / window_.packet;
    const std::uint64_t away = ticks < k_ticks_ ? k_ticks_ - ticks : ticks - k_ticks_;
    const auto delta = static_cast<double>((kScale * away * away * away) >> (10 + 3 * kTickBits));
    return ticks < k_ticks_ ? origin - delta : origin + delta;
  }

  void avoid(double growable, std::uint64_t ticks) {
    const double alpha = w_est_ < cwnd_prior_ ? kAlpha : 1.0;
    w_est_ += alpha * window_.packet * growable / window_.bytes;
    const double curve = w_cubic(ticks) * window_.packet;
    const double target = std::clamp(curve, window_.bytes, 1.5 * window_.bytes);
    const double step = (target - window_.bytes) * std::min(growable / window_.bytes, 1.0);
    window_.grow_by(std::min(std::max(step, w_est_ - window_.bytes), growable));
  }

  void reset() {
    window_ = Window{};
    window_.set_packet(config_.max_datagram_size);
    window_.bytes = static_cast<double>(initial_window(config_));
    epoch_.reset();
    last_sent_.reset();
    w_max_ = cwnd_prior_ = 0;
  }

  Config config_;
  Window window_;
  std::optional<TimePoint> epoch_;
  std::optional<TimePoint> last_sent_;
  double w_max_ = 0;
  double cwnd_prior_ = 0;
  double w_est_ = 0;
  std::uint64_t k_ticks_ = 0;
};

}  // namespace

ControllerPtr make_cubic_linux_2017(const Config& config) {
  return std::make_unique<CubicLinux2017>(config);
}

}  // namespace quell::cc
