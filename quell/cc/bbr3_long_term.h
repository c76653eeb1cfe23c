// How much may be in flight before the path loses too much, as far as probes have found out? (draft §5.3.3)
#pragma once

#include <algorithm>
#include <cmath>

#include "quell/cc/bbr3_sample.h"

namespace quell::cc::bbr3 {

// BBR.inflight_longterm: unbounded until a probe went too high.
class LongTerm {
 public:
  double inflight() const { return inflight_; }
  bool is_set() const { return inflight_ != kUnbounded; }

  // Room for others (draft §5.3.3.1): BBR.Headroom of it stays free. `least`: BBR.MinPipeCwnd.
  double with_headroom(double packet, double least) const {
    if (!is_set()) return kUnbounded;
    return std::max(inflight_ - std::max(packet, kHeadroom * inflight_), least);
  }

  void set(double inflight) { inflight_ = inflight; }
  // So much was in flight and the losses were bearable.
  void raise_to(double inflight) { inflight_ = std::max(inflight_, inflight); }

  // Draft §5.3.3.8: while the bound binds, it grows by a packet per `acked_per_packet_`, and twice as fast in
  // each round: 1, 2, 4 … packets.
  void begin_growth() {
    acked_ = 0;
    rounds_ = 0;
  }
  void steepen(double cwnd, double packet) {
    acked_per_packet_ = std::max(cwnd / static_cast<double>(1ULL << rounds_), packet);
    rounds_ = std::min(rounds_ + 1, kMostRounds);
  }
  void stop_growth() { acked_per_packet_ = kUnbounded; }
  void grow(double newly_acked, double packet) {
    acked_ += newly_acked;
    if (acked_ < acked_per_packet_) return;
    const double packets = std::floor(acked_ / acked_per_packet_);
    acked_ -= packets * acked_per_packet_;
    inflight_ += packets * packet;
  }

 private:
  static constexpr double kHeadroom = 0.15;
  static constexpr int kMostRounds = 30;

  double inflight_ = kUnbounded;
  double acked_ = 0;                      // BBR.bw_probe_up_acked
  double acked_per_packet_ = kUnbounded;  // BBR.probe_up_acked_per_inc
  int rounds_ = 0;                        // BBR.bw_probe_up_rounds
};

}  // namespace quell::cc::bbr3
