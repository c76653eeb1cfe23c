// When has slow start filled the path, if nothing was lost yet? When the least round-trip time of a round
// lies clearly above that of the round before: HyStart++ (RFC 9406).
#pragma once

#include <cstdint>

#include "quell/cc/events.h"
#include "quell/cc/window.h"

namespace quell::cc {

// RFC 9406 §4.3.
inline constexpr Duration kMinRttThresh = milliseconds{4};
inline constexpr Duration kMaxRttThresh = milliseconds{16};
inline constexpr int kMinRttDivisor = 8;
inline constexpr std::uint32_t kRttSamples = 8;
inline constexpr double kCssGrowthDivisor = 4;
inline constexpr std::uint32_t kCssRounds = 5;
inline constexpr double kUnpacedPackets = 8;  // L of a sender that is not paced; infinite for one that is

// Beside ClassicSlowStart, with the same verbs. Acts in the first slow start of a path only, as RFC 9406 §4.3
// asks: a later one ends at the threshold that was found, and is classic.
//
// Rounds end at a packet number. Choice: the packet number spaces of a handshake share the one boundary; what
// they can do is to end a round a few packets early or late.
class HyStart {
 public:
  explicit HyStart(const Config& config) : is_paced_(config.is_paced) {}

  void on_sent(const SentEvent& event) { next_number_ = event.number + 1; }
  double on_ack(Window& window, const AckEvent& event);
  bool is_over() const { return phase_ == Phase::over; }
  State state() const;
  void restart();

 private:
  // Suspicious: conservative slow start, in which the delay may yet prove to have been jitter.
  enum class Phase : std::uint8_t { growing, suspicious, over };
  static constexpr Duration kNone = Duration::max();

  void end_round_at(const AckEvent& event);
  void take_sample(Duration rtt);

  bool is_paced_;
  Phase phase_ = Phase::growing;
  PacketNumber next_number_ = 0;
  PacketNumber window_end_ = 0;  // the first packet of the next round
  Duration last_round_min_rtt_ = kNone;
  Duration current_round_min_rtt_ = kNone;
  Duration css_baseline_min_rtt_ = kNone;
  std::uint32_t samples_ = 0;  // of this round
  std::uint32_t css_rounds_ = 0;
};

}  // namespace quell::cc
