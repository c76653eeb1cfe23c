#include "quell/cc/fixed_rate.h"

#include <algorithm>

namespace quell::cc {
namespace {

constexpr Rate kDefaultRate = Rate::bits_per_second(10e6);
constexpr ByteCount kLeastPackets = 4;
// One round trip for what is in flight, one for ACKs that come late or together.
constexpr double kRoundTrips = 2;
// The window follows the round trip, so it may fall without a loss.
constexpr Traits kTraits{.name = "fixed-rate", .sets_pacing_rate = true, .follows_a_model = true};

class FixedRate final : public Controller {
 public:
  explicit FixedRate(const Config& config)
      : config_(config), rate_(config.fixed_rate.is_zero() ? kDefaultRate : config.fixed_rate) {}

  const Traits& traits() const override { return kTraits; }
  void on_ack(const AckEvent& event, TimePoint /*now*/) override { smoothed_rtt_ = event.rtt.smoothed; }
  void on_congestion(const CongestionEvent& /*event*/, TimePoint /*now*/) override {}
  void on_mtu(ByteCount /*old_size*/, ByteCount new_size, TimePoint /*now*/) override {
    config_.max_datagram_size = new_size;
  }
  void on_path_reset(TimePoint /*now*/) override { smoothed_rtt_ = Duration{0}; }

  ByteCount cwnd() const override {
    const ByteCount least = kLeastPackets * config_.max_datagram_size;
    if (smoothed_rtt_ == Duration{0}) return std::max(least, initial_window(config_));
    const double needed = kRoundTrips * rate_.bytes_per_second() * to_seconds(smoothed_rtt_);
    if (needed >= static_cast<double>(kMostWindow)) return kMostWindow;
    return std::max(least, static_cast<ByteCount>(needed));
  }
  std::optional<ByteCount> ssthresh() const override { return std::nullopt; }
  std::optional<Rate> pacing_rate() const override { return rate_; }
  State state() const override { return State::congestion_avoidance; }

 private:
  Config config_;
  Rate rate_;
  Duration smoothed_rtt_{0};
};

}  // namespace

ControllerPtr make_fixed_rate(const Config& config) {
  return std::make_unique<FixedRate>(config);
}

}  // namespace quell::cc
