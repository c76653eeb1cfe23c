#include "quell/cc/specimens/reno_no_floor.h"

#include <algorithm>
#include <limits>

namespace quell::cc {
namespace {

class RenoNoFloor final : public Controller {
 public:
  explicit RenoNoFloor(const Config& config) : config_(config) { on_path_reset({}); }

  const Traits& traits() const override {
    static constexpr Traits kTraits{.name = "reno-no-floor", .least_window_packets = 0};
    return kTraits;
  }
  void on_ack(const AckEvent& event, TimePoint /*now*/) override {
    if (event.in_recovery || window_ == 0) return;
    const auto growable = static_cast<double>(event.growable_bytes);
    const auto packet = static_cast<double>(config_.max_datagram_size);
    window_ += window_ < ssthresh_ ? growable : std::min(packet * growable / window_, growable);
  }
  void on_congestion(const CongestionEvent& event, TimePoint /*now*/) override {
    // The fault: RFC 9002 §7.2 is missing here, and in both of the other places.
    window_ = event.cause == CongestionCause::persistent ? 0 : window_ / 2;
    if (event.cause != CongestionCause::persistent) ssthresh_ = window_;
  }
  void on_mtu(ByteCount /*old_size*/, ByteCount new_size, TimePoint /*now*/) override {
    config_.max_datagram_size = new_size;
  }
  void on_path_reset(TimePoint /*now*/) override {
    window_ = static_cast<double>(initial_window(config_));
    ssthresh_ = std::numeric_limits<double>::infinity();
  }

  ByteCount cwnd() const override { return static_cast<ByteCount>(window_); }
  std::optional<ByteCount> ssthresh() const override {
    if (ssthresh_ == std::numeric_limits<double>::infinity()) return std::nullopt;
    return static_cast<ByteCount>(ssthresh_);
  }
  State state() const override {
    return window_ < ssthresh_ ? State::slow_start : State::congestion_avoidance;
  }

 private:
  Config config_;
  double window_ = 0;  // bytes
  double ssthresh_ = 0;
};

}  // namespace

ControllerPtr make_reno_no_floor(const Config& config) {
  return std::make_unique<RenoNoFloor>(config);
}

}  // namespace quell::cc
