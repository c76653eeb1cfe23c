// What did the path deliver in the last round trip, and was anything lost in it? (draft §5.5.10.3)
#pragma once

#include <algorithm>

#include "quell/cc/bbr3_sample.h"

namespace quell::cc::bbr3 {

// Rounds of its own: a loss begins one, so that the answer to it has seen a full round trip of deliveries.
class DeliverySignals {
 public:
  // A new phase: what was seen before was sent otherwise.
  void reset() {
    has_loss_ = false;
    bandwidth_ = 0;
    inflight_ = 0;
  }

  void on_loss(ByteCount total_delivered) {
    if (!has_loss_) round_ends_at_ = total_delivered;
    has_loss_ = true;
  }
  void forgive_loss() { has_loss_ = false; }

  // First and last in the processing of an ACK.
  void begin_ack(const Sample& sample) {
    bandwidth_ = std::max(bandwidth_, sample.rate);
    inflight_ = std::max(inflight_, sample.delivered);
    is_round_end_ = sample.prior_delivered >= round_ends_at_;
    if (is_round_end_) round_ends_at_ = sample.total_delivered;
  }
  void end_ack(const Sample& sample) {
    if (!is_round_end_) return;
    bandwidth_ = sample.rate;
    inflight_ = sample.delivered;
  }

  bool is_round_end() const { return is_round_end_; }
  bool has_loss() const { return has_loss_; }
  double bandwidth() const { return bandwidth_; }  // BBR.bw_latest
  double inflight() const { return inflight_; }    // BBR.inflight_latest

 private:
  ByteCount round_ends_at_ = 0;
  bool is_round_end_ = false;
  bool has_loss_ = false;
  double bandwidth_ = 0;
  double inflight_ = 0;
};

}  // namespace quell::cc::bbr3
