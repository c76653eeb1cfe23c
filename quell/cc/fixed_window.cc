#include "quell/cc/fixed_window.h"

#include <algorithm>

namespace quell::cc {
namespace {

constexpr ByteCount kDefaultPackets = 32;
constexpr Traits kTraits{.name = "fixed-window"};

class FixedWindow final : public Controller {
 public:
  explicit FixedWindow(const Config& config) : config_(config) {}

  const Traits& traits() const override { return kTraits; }
  void on_ack(const AckEvent& /*event*/, TimePoint /*now*/) override {}
  void on_congestion(const CongestionEvent& /*event*/, TimePoint /*now*/) override {}
  void on_mtu(ByteCount /*old_size*/, ByteCount new_size, TimePoint /*now*/) override {
    config_.max_datagram_size = new_size;
  }
  void on_path_reset(TimePoint /*now*/) override {}

  ByteCount cwnd() const override {
    const ByteCount size = config_.max_datagram_size;
    if (config_.fixed_window == 0) return kDefaultPackets * size;
    return std::max(config_.fixed_window, kLeastWindowPackets * size);
  }
  std::optional<ByteCount> ssthresh() const override { return std::nullopt; }
  State state() const override { return State::congestion_avoidance; }

 private:
  Config config_;
};

}  // namespace

ControllerPtr make_fixed_window(const Config& config) {
  return std::make_unique<FixedWindow>(config);
}

}  // namespace quell::cc
