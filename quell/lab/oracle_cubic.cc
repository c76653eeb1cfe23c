#include "quell/lab/oracle_cubic.h"

#include <algorithm>
#include <cmath>

namespace quell::lab {
namespace {

constexpr double kC = 0.4;                                                     // §5.1
constexpr double kBetaCubic = 0.7;                                             // §4.6
constexpr double kLeastWindow = 2;                                             // RFC 9002 §7.2
constexpr double kAlphaCubic = 3.0 * (1.0 - kBetaCubic) / (1.0 + kBetaCubic);  // §4.3

}  // namespace

// Equation 1.
double OracleCubic::w_cubic(double t) const {
  return kC * std::pow(t - k_, 3) + plateau_;
}

void OracleCubic::congestion(bool may_be_spurious) {
  saved_.reset();
  if (may_be_spurious)
    saved_ = Saved{cwnd_, cwnd_prior_, ssthresh_, w_max_, plateau_, k_, w_est_, has_w_max_, t_epoch_};
  // §4.7: fast convergence.
  w_max_ = has_w_max_ && cwnd_ < w_max_ ? cwnd_ * (1.0 + kBetaCubic) / 2.0 : cwnd_;
  has_w_max_ = true;
  cwnd_prior_ = cwnd_;
  ssthresh_ = std::max(cwnd_ * kBetaCubic, kLeastWindow);
  cwnd_ = ssthresh_;
  t_epoch_.reset();
}

void OracleCubic::begin_stage(double t_current) {
  if (t_epoch_ || cwnd_ < ssthresh_) return;
  t_epoch_ = t_current;
  w_est_ = cwnd_;
  // A curve that begins above its W_max has no K: it starts on the plateau, as after slow start (§4.10).
  plateau_ = has_w_max_ ? std::max(w_max_, cwnd_) : cwnd_;
  k_ = std::cbrt((plateau_ - cwnd_) / kC);  // equation 2
}

// What is left of the ACK for congestion avoidance. The text leaves the ACK that crosses ssthresh open.
double OracleCubic::slow_start(double segments_acked) {
  const double step = std::min(segments_acked, std::max(ssthresh_ - cwnd_, 0.0));
  cwnd_ += step;
  return segments_acked - step;
}

void OracleCubic::ack(double segments_acked, double t_current, double rtt) {
  segments_acked = slow_start(segments_acked);
  if (segments_acked <= 0) return;
  begin_stage(t_current);
  const double t = t_current - *t_epoch_;
  // §4.3, equation 4.
  const double alpha = w_est_ < cwnd_prior_ ? kAlphaCubic : 1.0;
  w_est_ += alpha * segments_acked / cwnd_;
  if (w_cubic(t) < w_est_) {
    cwnd_ = w_est_;
    return;
  }
  // §4.4, §4.5; an ACK of a whole window reaches the target, and no more.
  const double target = std::clamp(w_cubic(t + rtt), cwnd_, 1.5 * cwnd_);
  cwnd_ += std::min(segments_acked / cwnd_, 1.0) * (target - cwnd_);
}

void OracleCubic::persistent_congestion() {
  cwnd_ = kLeastWindow;
  has_w_max_ = false;
  saved_.reset();
  t_epoch_.reset();
}

void OracleCubic::spurious() {
  if (saved_ && cwnd_ < saved_->cwnd) {
    cwnd_ = saved_->cwnd;
    cwnd_prior_ = saved_->cwnd_prior;
    ssthresh_ = saved_->ssthresh;
    w_max_ = saved_->w_max;
    k_ = saved_->k;
    w_est_ = saved_->w_est;
    t_epoch_ = saved_->t_epoch;
    plateau_ = saved_->plateau;
    has_w_max_ = saved_->has_w_max;
  }
  saved_.reset();
}

}  // namespace quell::lab
