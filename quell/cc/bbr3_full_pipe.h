// Has sending faster stopped bringing more? Three rounds of data without a quarter more bandwidth say so
// (draft §5.3.1.2).
#pragma once

#include "quell/cc/bbr3_sample.h"

namespace quell::cc::bbr3 {

class FullPipe {
 public:
  // A new search. `baseline`: the rate from which growth counts.
  void restart(double baseline = 0) {
    baseline_ = baseline;
    rounds_ = 0;
    is_full_now_ = false;
  }

  // A round without enough data to fill the pipe says nothing about the pipe.
  void on_ack(const Sample& sample, bool is_round_start) {
    if (is_full_now_ || !is_round_start || sample.is_app_limited) return;
    if (sample.rate >= baseline_ * kGrowth) return restart(sample.rate);
    if (++rounds_ >= kRounds) declare_full();
  }

  // By other evidence: loss (draft §5.3.1.3).
  void declare_full() {
    is_full_now_ = true;
    was_reached_ = true;
  }
  // That evidence was spurious.
  void withdraw() { was_reached_ = false; }

  bool is_full_now() const { return is_full_now_; }  // since the last restart
  bool was_reached() const { return was_reached_; }  // ever: BBR.full_bw_reached
  double baseline() const { return baseline_; }
  int rounds_without_growth() const { return rounds_; }

 private:
  static constexpr double kGrowth = 1.25;
  static constexpr int kRounds = 3;

  double baseline_ = 0;
  int rounds_ = 0;
  bool is_full_now_ = false;
  bool was_reached_ = false;
};

}  // namespace quell::cc::bbr3
