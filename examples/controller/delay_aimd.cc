// Your own controller in the laboratory. This one adds a packet per round trip while the queue is short,
// takes an eighth back when it is long, and halves on congestion.
#include <algorithm>

#include "quell/cc/plugin.h"

using namespace quell::cc;
using quell::ByteCount;
using quell::Duration;
using quell::TimePoint;

class DelayAimd final : public Controller {
 public:
  explicit DelayAimd(const Config& config) : config_(config), cwnd_(initial_window(config)) {}

  const Traits& traits() const override {
    static constexpr Traits kTraits{.name = "delay-aimd", .follows_a_model = true};
    return kTraits;
  }

  void on_ack(const AckEvent& event, TimePoint) override {
    // Only bytes that filled the window say that it may grow (RFC 9002 §7.8); none do during recovery.
    if (event.in_recovery || event.growable_bytes == 0) return;
    acked_ += event.growable_bytes;
    if (acked_ < cwnd_) return;
    acked_ = 0;  // a window's worth was acknowledged: once per round trip
    const Duration queue = event.rtt.latest - event.rtt.min;
    if (queue > event.rtt.min / 4 + quell::milliseconds{5}) {
      shrink_to(cwnd_ - cwnd_ / 8);
    } else {
      cwnd_ += cwnd_ < ssthresh_ ? cwnd_ : config_.max_datagram_size;
    }
  }

  void on_congestion(const CongestionEvent& event, TimePoint) override {
    shrink_to(event.cause == CongestionCause::persistent ? 0 : cwnd_ / 2);
  }
  void on_mtu(ByteCount, ByteCount size, TimePoint) override { config_.max_datagram_size = size; }
  void on_path_reset(TimePoint) override { *this = DelayAimd{config_}; }

  ByteCount cwnd() const override { return cwnd_; }
  std::optional<ByteCount> ssthresh() const override { return ssthresh_; }
  State state() const override { return cwnd_ < ssthresh_ ? State::slow_start : State::congestion_avoidance; }

 private:
  void shrink_to(ByteCount bytes) {
    cwnd_ = ssthresh_ = std::max(bytes, kLeastWindowPackets * config_.max_datagram_size);
  }

  Config config_;
  ByteCount cwnd_;
  ByteCount ssthresh_ = kMostWindow;
  ByteCount acked_ = 0;
};

QUELL_CONTROLLER_PLUGIN("delay-aimd", "example: one packet more per round trip until the queue is long",
                        DelayAimd)
