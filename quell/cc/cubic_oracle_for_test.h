// What does RFC 9438 say a window is? A model written from its text alone, in segments and seconds of wall
// time, that shares no code with the product.
#pragma once

#include <cmath>
#include <limits>

namespace quell::cc::test {

// Variable names are those of RFC 9438 §4.1.2.
class Oracle {
 public:
  explicit Oracle(double initial) : cwnd(initial) {}

  // t_current of everything below is the time of this clock. §4.2: t does not include periods in which the
  // application limited the sender; they move what was noted of time, also what an undo would bring back.
  void time_passes(double s, bool application_limited = false) {
    t_current += s;
    if (!application_limited) return;
    t_epoch += s;
    undo.t_epoch += s;
  }

  void ack(double segments_acked, double rtt) {
    if (cwnd < ssthresh) {
      // The text leaves the ACK that crosses ssthresh open; we end slow start exactly there (slow_start.h).
      const double step = std::fmin(segments_acked, ssthresh - cwnd);
      cwnd += step;
      segments_acked -= step;
    }
    if (segments_acked <= 0) return;
    if (!stage_begun) begin();
    const double t = t_current - t_epoch;
    const double alpha = w_est >= cwnd_prior ? 1.0 : 3.0 * 0.3 / 1.7;
    w_est += alpha * segments_acked / cwnd;
    if (curve(t) < w_est) {
      cwnd = w_est;
      return;
    }
    double target = curve(t + rtt);
    if (target < cwnd) target = cwnd;
    if (target > 1.5 * cwnd) target = 1.5 * cwnd;
    cwnd += segments_acked * (target - cwnd) / cwnd;
  }

  // §4.6, §4.7; §4.9.2 says what to save. QUIC's floor is two packets for a mark, too (RFC 9002 §7.2).
  void lose() {
    undo = {cwnd, cwnd_prior, ssthresh, w_max, k, t_epoch, w_est, stage_begun, timed_out};
    mark();
  }
  void mark() {
    w_max = cwnd < w_max ? cwnd * 1.7 / 2.0 : cwnd;
    cwnd_prior = cwnd;
    ssthresh = std::fmax(cwnd * 0.7, 2.0);
    cwnd = ssthresh;
    stage_begun = false;
    timed_out = false;
  }

  // §4.9.2: the last loss was none.
  void loss_was_spurious() {
    if (cwnd >= cwnd_prior) return;
    cwnd = undo.cwnd;
    cwnd_prior = undo.cwnd_prior;
    ssthresh = undo.ssthresh;
    w_max = undo.w_max;
    k = undo.k;
    t_epoch = undo.t_epoch;
    w_est = undo.w_est;
    stage_begun = undo.stage_begun;
    timed_out = undo.timed_out;
  }

  // §4.8.
  void time_out() {
    cwnd = 2;
    timed_out = true;
    stage_begun = false;
  }

  void recovery_ends() {
    if (cwnd >= ssthresh) begin();
  }

  double cwnd;

 private:
  struct Undo {
    double cwnd, cwnd_prior, ssthresh, w_max, k, t_epoch, w_est;
    bool stage_begun, timed_out;
  };

  void begin() {
    t_epoch = t_current;
    w_est = cwnd;
    stage_begun = true;
    if (timed_out || w_max < cwnd) w_max = cwnd;
    k = timed_out ? 0.0 : std::pow((w_max - cwnd) / 0.4, 1.0 / 3.0);
  }
  double curve(double t) const { return 0.4 * std::pow(t - k, 3.0) + w_max; }

  double t_current = 0;
  double ssthresh = std::numeric_limits<double>::infinity();
  double w_max = 0;
  double cwnd_prior = 0;
  double k = 0;
  double t_epoch = 0;
  double w_est = 0;
  bool stage_begun = false;
  bool timed_out = true;
  Undo undo{};
};

}  // namespace quell::cc::test
