#include "quell/cc/specimens/cubic_t3_overflow.h"

#include <algorithm>
#include <chrono>
#include <cmath>

#include "quell/cc/window.h"

namespace quell::cc {
namespace {

constexpr double kBeta = 0.7;
constexpr unsigned kTickBits = 8;        // time in 1/256 s
constexpr std::int64_t kCFactor = 102;   // C = 0.4 in 1/256
constexpr unsigned kTotalShift = 4 * 8;  // three of time, one of C

class CubicT3Overflow final : public Controller {
 public:
  explicit CubicT3Overflow(const Config& config) : config_(config) { reset(); }

  const Traits& traits() const override {
    static constexpr Traits kTraits{.name = "cubic-t3-overflow"};
    return kTraits;
  }

  void on_ack(const AckEvent& event, TimePoint now) override {
    if (event.in_recovery || event.growable_bytes == 0) return;
    const auto growable = static_cast<double>(event.growable_bytes);
    if (window_.is_in_slow_start()) return window_.grow_by(growable);
    if (!epoch_) begin_stage(now);
    const double reno = window_.bytes + window_.packet * growable / window_.bytes;
    // The fault: the curve is believed as it comes out.
    window_.bytes = std::clamp(w_cubic(now + event.rtt.smoothed), reno, static_cast<double>(kMostWindow));
  }

  void on_congestion(const CongestionEvent& event, TimePoint /*now*/) override {
    epoch_.reset();
    if (event.cause == CongestionCause::persistent) return window_.collapse();
    w_max_ = window_.bytes;
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
    const double k = std::cbrt((w_max_ - window_.bytes) / window_.packet / 0.4);
    k_ticks_ = static_cast<std::int64_t>(std::ldexp(k, kTickBits));
  }

  double w_cubic(TimePoint at) const {
    const auto elapsed = std::chrono::duration_cast<milliseconds>(at - *epoch_).count();
    // Unsigned, so that the overflow is the processor's and not the compiler's.
    const auto away = static_cast<std::uint64_t>((elapsed << kTickBits) / 1000 - k_ticks_);
    const std::uint64_t scaled = away * away * away * kCFactor * config_.max_datagram_size;
    return w_max_ +
           std::ldexp(static_cast<double>(static_cast<std::int64_t>(scaled)), -static_cast<int>(kTotalShift));
  }

  void reset() {
    window_ = Window{};
    window_.set_packet(config_.max_datagram_size);
    window_.bytes = static_cast<double>(initial_window(config_));
    epoch_.reset();
    w_max_ = 0;
  }

  Config config_;
  Window window_;
  std::optional<TimePoint> epoch_;
  double w_max_ = 0;
  std::int64_t k_ticks_ = 0;
};

}  // namespace

ControllerPtr make_cubic_t3_overflow(const Config& config) {
  return std::make_unique<CubicT3Overflow>(config);
}

}  // namespace quell::cc
